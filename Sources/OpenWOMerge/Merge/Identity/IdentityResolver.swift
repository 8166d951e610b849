/// Finds out which rows of the two sides are the same row and which are not, until nothing moves.
struct IdentityResolver {
  let tables: [String: TableMerge]
  let first: MergeSide
  /// The next free rowid of a table.
  let nextRowid: (String) throws -> Int64
  /// The numbers under which rows of a side's table were put in.
  var births: (MergeSide, String, Set<Int64>) throws -> [Int64: Int64] = { _, _, _ in [:] }

  /// Finds out; `kept` are numbers of deleted rows that will stay, as others point to them.
  func resolve(_ kept: [String: Set<Int64>] = [:]) throws {
    let order = TableOrder.parentsFirst(tables)
    let follower = ReferenceFollower(tables: tables, order: order)
    for name in order {
      guard let table = tables[name] else { continue }
      try RowNumbers(table: table, first: first, kept: kept[name] ?? []) { try nextRowid(name) }
        .settle()
    }
    var isMoving = true
    defer { follower.followBase() }
    while isMoving {
      isMoving = false
      follower.follow(.ours)
      follower.follow(.theirs)
      for name in order {
        guard let table = tables[name] else { continue }
        if NaturalKeys(table: table, first: first).unify() {
          isMoving = true
          break
        }
        let equal = EqualBirths(table: table, first: first) { try births($0, name, $1) }
        if try equal.unify() {
          isMoving = true
          break
        }
        let collisions = Collisions(table: table, first: first) { try nextRowid(name) }
        if try collisions.separate() {
          isMoving = true
          break
        }
      }
    }
  }
}
