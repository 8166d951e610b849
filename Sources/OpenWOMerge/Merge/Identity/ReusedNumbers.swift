import OpenWOSQLite

/// Numbers of deleted rows that a side gave to new ones, as SQLite does without AUTOINCREMENT when the last rows are gone.
///
/// A difference takes such a row for a changed one. It is another one if no cell but the key is left of it, and if nothing behind it is
/// left: only then can SQLite have given the number again.
struct ReusedNumbers {
  let table: TableShape
  let base: Connection

  /// Those among the changes of a side.
  func find(in changes: [SideChange]) throws -> Set<Int64> {
    guard !table.isAutoincrement, case .rowid = table.identity, let name = table.rowidName else {
      return []
    }
    let candidates = changes.filter(isOther).compactMap { $0.base?.rowid }.sorted(by: >)
    guard let lowest = candidates.last else { return [] }
    let gone = Set(changes.filter(\.isDelete).compactMap { $0.base?.rowid }).union(candidates)
    let behind = try base.cells(
      "SELECT \(SQLName.quoted(name)) FROM main.\(SQLName.quoted(table.name)) "
        + "WHERE \(SQLName.quoted(name)) > ? ORDER BY 1 DESC", [.integer(lowest)]
    ).compactMap { $0[0].int }
    let lastLeft = behind.first { !gone.contains($0) } ?? .min
    return Set(candidates.filter { $0 > lastLeft })
  }

  /// Whether all cells but the key, and the column that says when the row was written, are others, of at least two.
  private func isOther(_ change: SideChange) -> Bool {
    guard let old = change.base, let new = change.original, old.rowid == new.rowid else {
      return false
    }
    let clock = MergeClock.column(of: table)
    let cells = old.cells.indices.filter { $0 != table.rowidColumn && $0 != clock }
    return cells.count > 1
      && cells.allSatisfy { place in
        guard let before = old.cells[place], let after = new.cells[place] else { return false }
        return before != after
      }
  }
}
