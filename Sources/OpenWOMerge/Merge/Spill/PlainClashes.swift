/// Finds the plain new rows that cannot keep their numbers, one at a time.
struct PlainClashes {
  let table: TableMerge
  let first: MergeSide

  /// Those that have the number of a row of the base that stays, by side.
  func blocked() throws -> Sides<[Int64]> {
    var blocked = Sides<[Int64]>(ours: [], theirs: [])
    guard let plain = table.plain, plain.hasReused, table.isNumbered else { return blocked }
    var reader = try plain.reader()
    while let group = try reader.next() {
      guard group.isReused.ours || group.isReused.theirs else { continue }
      let number = group.place.number
      guard RowNumbers.stays(number, group.changes().old, in: table) else { continue }
      for side in MergeSide.allCases where group.isReused[side] { blocked[side].append(number) }
    }
    return blocked
  }

  /// The numbers under which the sides made different rows.
  func collided() throws -> [Int64] {
    var collided: [Int64] = []
    guard let plain = table.plain, plain.hasBirths, table.isNumbered else { return [] }
    let collisions = Collisions(table: table, first: first) { 0 }
    let isStill = plain.moves.ours.isEmpty && plain.moves.theirs.isEmpty
    var reader = try plain.reader()
    while let group = try reader.next() {
      guard group.hasBirth(.ours), group.hasBirth(.theirs) else { continue }
      let number = group.place.number
      if plain.renumbered.contains(where: { $0.number(of: number) != nil }) { continue }
      if isStill, table.rule != .union, let one = group.rows.ours, let other = group.rows.theirs,
        one.kind == .inserted, one.hasSameCells(as: other)
      {
        continue
      }
      let new = plain.followed(group.changes().new, in: table)
      guard let mine = new[first], let other = new[first.other] else { continue }
      if !collisions.isSame(mine, other) { collided.append(number) }
    }
    return collided
  }
}

extension PlainRows {
  /// Changed rows that point to where the rows have gone that they pointed to.
  func followed(_ changes: Sides<SideChange?>, in table: TableMerge) -> Sides<SideChange?> {
    var changes = changes
    for side in MergeSide.allCases where !moves[side].isEmpty {
      guard let change = changes[side], var row = change.row else { continue }
      for moves in moves[side] { row = moves.followed(row, in: change, of: table) }
      changes[side]?.row = row
    }
    return changes
  }
}
