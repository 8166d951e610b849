import OpenWOSQLite

/// Rowids of deleted rows that a side gave to new rows, as SQLite does without AUTOINCREMENT if the
/// last rows are gone.
///
/// A difference takes such a row for a changed one. It is another row if no cell except the key is
/// left, and no row of the base after it is left: only then can SQLite have reused the number. The
/// numbers are those of the side, so earlier merges do not matter.
struct ReusedNumbers {
  let table: TableShape
  let side: Connection

  /// The changes of the side, with a delete and an insert in place of each change that made another row.
  func told(_ changes: [SideChange]) throws -> [SideChange] {
    let reused = try find(in: changes)
    if reused.isEmpty { return changes }
    return changes.flatMap { change in
      guard change.base != nil, let row = change.original, let number = row.rowid,
        reused.contains(number)
      else { return [change] }
      return [SideChange(base: change.base, row: nil), SideChange(base: nil, row: row)]
    }
  }

  private func find(in changes: [SideChange]) throws -> Set<Int64> {
    guard !table.isAutoincrement, case .rowid = table.identity, let name = table.rowidName else {
      return []
    }
    let candidates = changes.filter(isOther).compactMap { $0.original?.rowid }
    guard let lowest = candidates.min() else { return [] }
    let new = Set(changes.filter(\.isInsert).compactMap { $0.original?.rowid }).union(candidates)
    let behind = try side.cells(
      "SELECT \(SQLName.quoted(name)) FROM main.\(SQLName.quoted(table.name)) "
        + "WHERE \(SQLName.quoted(name)) > ? ORDER BY 1 DESC", [.integer(lowest)]
    ).compactMap { $0[0].int }
    let lastLeft = behind.first { !new.contains($0) } ?? .min
    return Set(candidates.filter { $0 > lastLeft })
  }

  /// Whether all cells but the key, and the column that says when the row was written, are others, of at least two.
  private func isOther(_ change: SideChange) -> Bool {
    guard let old = change.base, let new = change.original else { return false }
    let clock = MergeClock.column(of: table)
    let cells = old.cells.indices.filter { $0 != table.rowidColumn && $0 != clock }
    return cells.count > 1
      && cells.allSatisfy { place in
        guard let before = old.cells[place], let after = new.cells[place] else { return false }
        return before != after
      }
  }
}
