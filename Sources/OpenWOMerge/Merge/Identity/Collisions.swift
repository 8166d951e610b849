/// Finds different rows that both sides made under one number, and gives one of them a new number.
struct Collisions {
  let table: TableMerge
  let first: MergeSide
  /// The next number that nobody has used.
  let nextRowid: () throws -> Int64

  /// Separates them; returns whether there were any.
  func separate() throws -> Bool {
    guard table.hasOwnNumbers, table.rule != .singleton else { return false }
    let moving = first.other
    var taken: [Int64: SideChange] = [:]
    for change in table.changes[first] where change.isInsert {
      if let id = change.row?.rowid { taken[id] = change }
    }
    var joined: Set<Int64> = []
    for change in table.changes[moving] where change.givenKey != nil {
      if let id = change.row?.rowid { joined.insert(id) }
    }
    var colliding: [(id: Int64, index: Int)] = []
    for (index, change) in table.changes[moving].enumerated() {
      guard change.isInsert, change.givenKey == nil, let id = change.row?.rowid
      else { continue }
      let twin = taken[id]
      if joined.contains(id) || twin.map({ !isSame($0, change) }) ?? false {
        colliding.append((id, index))
      }
    }
    var plain: [Int64] = []
    if !(table.plain?.isSeparated ?? true) {
      plain = try PlainClashes(table: table, first: first).collided()
      table.plain?.isSeparated = true
    }
    try table.give(
      to: colliding.sorted { $0.id < $1.id }.map { (number: $0.id, place: $0.index) }, and: plain,
      of: moving, nextRowid
    ) { _, index, given in move(index, moving, given) }
    return !colliding.isEmpty || !plain.isEmpty
  }

  /// Whether two new rows of the sides, ours of the first one, are one row.
  func isSame(_ mine: SideChange, _ other: SideChange) -> Bool {
    guard let a = mine.row, let b = other.row else { return false }
    let isComputed = table.computed.contains { unique in
      guard let own = mine.original, let others = other.original,
        let key = unique.keys[first][table.key(own)]
      else { return false }
      return key == unique.keys[first.other][table.key(others)]
    }
    if isComputed { return true }
    // A table that lets nothing go keeps both of two equal rows.
    if a.agrees(with: b), table.rule != .union { return true }
    return table.naturalKeys.contains { unique in
      table.uniqueKey(a, unique).map { $0 == table.uniqueKey(b, unique) } ?? false
    }
  }

  private func move(_ index: Int, _ side: MergeSide, _ number: Int64) {
    guard let original = table.changes[side][index].original,
      let row = table.changes[side][index].row
    else { return }
    let given = GivenKey.rowid(number)
    table.changes[side][index].givenKey = given
    table.changes[side][index].row = table.rekey(row, given)
    table.renumbered.append(
      Renumbering(
        side: side, from: table.keyValues(original),
        to: table.keyValues(table.rekey(row, given)), isSameRow: false))
  }
}
