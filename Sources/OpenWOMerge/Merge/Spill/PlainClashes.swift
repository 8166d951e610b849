/// Finds the plain new rows that cannot keep their numbers, with one look at each row.
struct PlainClashes {
  /// Those with the number of a row of the base that stays, by side.
  private(set) var blocked = Sides<[Int64]>(ours: [], theirs: [])
  /// The numbers under which the sides made different rows.
  private(set) var collided: [Int64] = []

  /// Whether a row of the base stays under the number of a new one.
  var isBlocking: Bool { !blocked.ours.isEmpty || !blocked.theirs.isEmpty }

  init?(_ table: TableMerge, first: MergeSide) throws {
    guard let plain = table.plain, plain.hasBirths, table.isNumbered else { return nil }
    let collisions = Collisions(table: table, first: first) { 0 }
    var reader = try plain.reader()
    while let group = try reader.next() {
      let (ours, theirs) = (group.hasBirth(.ours), group.hasBirth(.theirs))
      guard ours || theirs else { continue }
      let number = group.place.number
      if group.hasOld(.ours) || group.hasOld(.theirs) {
        if RowNumbers.stays(number, group.changes().old, in: table) {
          if ours { blocked.ours.append(number) }
          if theirs { blocked.theirs.append(number) }
          continue
        }
      }
      guard ours, theirs else { continue }
      if table.rule != .union, let one = group.rows.ours, let other = group.rows.theirs,
        one.kind == .inserted, one.hasSameCells(as: other)
      {
        continue
      }
      let new = group.changes().new
      guard let mine = new[first], let other = new[first.other] else { continue }
      if !collisions.isSame(mine, other) { collided.append(number) }
    }
  }
}
