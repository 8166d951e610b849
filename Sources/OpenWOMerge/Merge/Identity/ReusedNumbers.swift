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
    let other = Candidates(of: table)
    let candidates = changes.filter(other.contains).compactMap { $0.original?.rowid }
    guard let lowest = candidates.min() else { return [] }
    let new = Set(changes.filter(\.isInsert).compactMap { $0.original?.rowid }).union(candidates)
    let lastLeft = try lastRow(behind: lowest, name, notAmong: new) ?? .min
    return Set(candidates.filter { $0 > lastLeft })
  }

  private struct Found: Error {
    let number: Int64
  }

  private func lastRow(
    behind lowest: Int64, _ name: String, notAmong new: Set<Int64>
  ) throws -> Int64? {
    do {
      try side.forEachRow(
        "SELECT \(SQLName.quoted(name)) FROM main.\(SQLName.quoted(table.name)) "
          + "WHERE \(SQLName.quoted(name)) > ? ORDER BY 1 DESC", [.integer(lowest)]
      ) { row in
        if let number = row[0].int, !new.contains(number) { throw Found(number: number) }
      }
      return nil
    } catch let found as Found { return found.number }
  }

  /// Tells changes that may have made another row: all cells but the key, and the column that says when the row was written, are others, of at
  /// least two.
  struct Candidates {
    private let key: Int?
    private let clock: Int?
    private let areKnown: Bool

    /// Those of a table; a number of an AUTOINCREMENT table is never used again.
    init(of table: TableShape) {
      key = table.rowidColumn
      clock = MergeClock.column(of: table)
      areKnown = !table.isAutoincrement
    }

    func contains(_ change: SideChange) -> Bool {
      guard areKnown, let old = change.base, let new = change.original else { return false }
      var count = 0
      for place in old.cells.indices where place != key && place != clock {
        guard let before = old.cells[place], let after = new.cells[place], before != after else {
          return false
        }
        count += 1
      }
      return count > 1
    }
  }
}
