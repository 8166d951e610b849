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
    told(changes, lastLeft: try lastLeft(changes, and: nil))
  }

  /// The same if the number is known behind which no row of the base is left.
  func told(_ changes: [SideChange], lastLeft: Int64) -> [SideChange] {
    if lastLeft == .max { return changes }
    let candidates = Candidates(of: table)
    return changes.flatMap { change in
      guard candidates.contains(change), let row = change.original, let number = row.rowid,
        number > lastLeft
      else { return [change] }
      return [SideChange(base: change.base, row: nil), SideChange(base: nil, row: row)]
    }
  }

  /// The last number of a row of the base that is left behind the first one that may be another row; the highest of all if none may.
  ///
  /// `spilled` are the changes that were put aside.
  func lastLeft(_ changes: [SideChange], and spilled: SpilledRows?) throws -> Int64 {
    guard !table.isAutoincrement, case .rowid = table.identity, let name = table.rowidName else {
      return .max
    }
    let candidates = Candidates(of: table)
    var lowest = Int64.max
    var new: [Int64] = []
    for change in changes {
      guard let number = change.original?.rowid else { continue }
      let isCandidate = candidates.contains(change)
      if isCandidate { lowest = min(lowest, number) }
      if isCandidate || change.isInsert { new.append(number) }
    }
    var reader = try spilled?.reader()
    while let row = try reader?.read() {
      guard row.kind == .inserted || row.kind == .rewritten else { continue }
      if row.kind == .rewritten { lowest = min(lowest, row.place.number) }
      new.append(row.place.number)
    }
    if lowest == .max { return .max }
    return try lastRow(behind: lowest, name, notAmong: new.sorted()) ?? .min
  }

  private struct Found: Error {
    let number: Int64
  }

  private func lastRow(
    behind lowest: Int64, _ name: String, notAmong new: [Int64]
  ) throws -> Int64? {
    var left = new[...]
    do {
      try side.forEachRow(
        "SELECT \(SQLName.quoted(name)) FROM main.\(SQLName.quoted(table.name)) "
          + "WHERE \(SQLName.quoted(name)) > ? ORDER BY 1 DESC", [.integer(lowest)]
      ) { row in
        guard let number = row[0].int else { return }
        while let last = left.last, last > number { left.removeLast() }
        if left.last != number { throw Found(number: number) }
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

    /// The same for rows that have a value in each column.
    func contains(_ old: [CellValue], _ new: [CellValue]) -> Bool {
      guard areKnown, old.count == new.count else { return false }
      var count = 0
      for place in old.indices where place != key && place != clock {
        if old[place] == new[place] { return false }
        count += 1
      }
      return count > 1
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
