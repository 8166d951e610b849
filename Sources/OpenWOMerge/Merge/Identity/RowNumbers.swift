/// Chooses the final number of each row of the base that has different numbers on the two sides.
///
/// Rows of the base keep their numbers before new rows do, so a new row with such a number gets
/// another one.
struct RowNumbers {
  let table: TableMerge
  let first: MergeSide
  /// Numbers of deleted rows that will stay, as other rows point to them.
  let kept: Set<Int64>
  let nextRowid: () throws -> Int64

  /// A row of the base that at least one side changed: the places of its changes, and its numbers.
  private struct Row {
    let base: Int64
    var places = Sides<Int?>(ours: nil, theirs: nil)
    /// Nil if the side deleted it.
    var numbers: Sides<Int64?>

    init(_ base: Int64) {
      self.base = base
      numbers = Sides(ours: base, theirs: base)
    }

    var isMoved: Bool { MergeSide.allCases.contains { numbers[$0].map { $0 != base } ?? false } }
  }

  func settle() throws {
    guard table.hasOwnNumbers, table.rule != .singleton else { return }
    let rows = collect()
    let blocked = try PlainClashes(table: table, first: first).blocked()
    table.plain?.renumbered = []
    table.plain?.isSeparated = false
    guard
      !blocked.ours.isEmpty || !blocked.theirs.isEmpty
        || rows.values.contains(where: { $0.isMoved })
        || hasReused(rows)
    else { return }
    var taken: Set<Int64> = []
    for row in rows.values where !row.isMoved && stays(row) { taken.insert(row.base) }
    let moved = rows.values.filter(\.isMoved).sorted { $0.base < $1.base }
    for row in moved where stays(row) { try settle(row, &taken) }
    // A deleted row may stay for one that points to it, so no other row of the base has its number.
    var reserved = taken
    for row in moved where !stays(row) { try settle(row, &reserved) }
    for side in [first, first.other] {
      try moveNew(on: side, from: taken, and: blocked[side])
    }
  }

  private func settle(_ row: Row, _ taken: inout Set<Int64>) throws {
    let numbers = [first, first.other].compactMap { row.numbers[$0] }
    let wanted = numbers.filter { $0 != row.base } + numbers
    let final = try wanted.first { !taken.contains($0) } ?? nextRowid()
    taken.insert(final)
    table.finalNumbers[row.base] = final
    for side in MergeSide.allCases { give(final, to: row, on: side) }
  }

  private func collect() -> [Int64: Row] {
    var rows: [Int64: Row] = [:]
    for side in MergeSide.allCases {
      for (place, change) in table.changes[side].enumerated() {
        guard let number = change.base?.rowid else { continue }
        rows[number, default: Row(number)].places[side] = place
        rows[number]?.numbers[side] = change.isReplacement ? number : change.original?.rowid
      }
    }
    return rows
  }

  /// Whether a new row has the number of one of the base that is another one.
  private func hasReused(_ rows: [Int64: Row]) -> Bool {
    MergeSide.allCases.contains { side in
      table.changes[side].contains { change in
        change.isInsert && (change.original?.rowid.map { rows[$0] != nil } ?? false)
      }
    }
  }

  /// Whether the row will be in the result, as far as its table knows.
  private func stays(_ row: Row) -> Bool {
    if kept.contains(row.base) { return true }
    var changes = Sides<SideChange?>(ours: nil, theirs: nil)
    for side in MergeSide.allCases {
      changes[side] = row.places[side].map { table.changes[side][$0] }
    }
    return Self.stays(row.base, changes, in: table)
  }

  /// Whether the row of the base with a number will be in the result after these changes, as far as its table knows.
  static func stays(
    _ number: Int64, _ changes: Sides<SideChange?>, in table: TableMerge
  ) -> Bool {
    if table.rule == .union { return true }
    let left = MergeSide.allCases.filter { !(changes[$0]?.isDelete ?? false) }
    if left.count == 2 { return true }
    if left.count == 1, table.outlivesDeletion(MergeRow(rowid: number, cells: [])) { return true }
    guard let side = left.first, let change = changes[side], !change.isCascaded else {
      return false
    }
    return change.row.map { row in
      row.cells.indices.contains {
        $0 != table.shape.rowidColumn && row.cells[$0] != change.base?.cells[$0]
      }
    } ?? false
  }

  private func give(_ final: Int64, to row: Row, on side: MergeSide) {
    guard let number = row.numbers[side], number != final else { return }
    if let place = row.places[side] { table.changes[side][place].givenKey = .rowid(final) }
    table.moved[side][number] = final
    note(number, final, side)
  }

  /// Moves the new rows of a side with such numbers, among them the plain ones with these.
  private func moveNew(
    on side: MergeSide, from taken: Set<Int64>, and plain: [Int64]
  ) throws {
    let places = table.changes[side].indices.compactMap { place -> (number: Int64, place: Int)? in
      let change = table.changes[side][place]
      guard change.isInsert, let number = change.original?.rowid, taken.contains(number) else {
        return nil
      }
      return (number, place)
    }
    try table.give(
      to: places.sorted { $0.number < $1.number }, and: plain, of: side, nextRowid
    ) { number, place, given in
      table.changes[side][place].givenKey = .rowid(given)
      note(number, given, side)
    }
  }

  private func note(_ number: Int64, _ given: Int64, _ side: MergeSide) {
    table.renumbered.append(
      Renumbering(
        side: side, from: [.integer(number)], to: [.integer(given)], isSameRow: false))
  }
}
