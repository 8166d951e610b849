/// Finds rows that one side deleted and that nobody changed on the other: they only followed a row
/// that they point to when its key changed, as `ON UPDATE CASCADE` says.
struct CascadedChanges {
  let tables: [String: TableMerge]

  /// From one key of a row that others point to to another.
  private struct Move: Hashable {
    let old: CanonicalKey
    let new: CanonicalKey
  }

  /// Marks their changes.
  func mark() throws {
    for table in tables.values where table.references.contains(where: \.cascadesUpdate) {
      for side in MergeSide.allCases { try mark(table, side) }
    }
  }

  private func mark(_ table: TableMerge, _ side: MergeSide) throws {
    let deleted = Set(
      table.changes[side.other].filter(\.isDelete).compactMap { $0.base.map(table.key) })
    let references = table.references.filter(\.cascadesUpdate)
    let places = table.changes[side].indices.filter { place in
      let change = table.changes[side][place]
      guard let base = change.base, change.original != nil, deleted.contains(table.key(base))
      else { return false }
      return changedColumns(change).isSubset(of: references.flatMap(\.columns))
    }
    if places.isEmpty { return }
    var explained: [Int: Set<Int>] = [:]
    for reference in references {
      guard let parent = tables[reference.parent] else { continue }
      var moves: [Move: [Int]] = [:]
      for place in places {
        guard let move = move(table.changes[side][place], reference, parent) else { continue }
        moves[move, default: []].append(place)
      }
      for move in try made(Set(moves.keys), reference.parentColumns, parent, side) {
        for place in moves[move] ?? [] {
          explained[place, default: []].formUnion(reference.columns)
        }
      }
    }
    for (place, columns) in explained
    where changedColumns(table.changes[side][place]).isSubset(of: columns) {
      table.changes[side][place].isCascaded = true
    }
  }

  private func changedColumns(_ change: SideChange) -> Set<Int> {
    guard let base = change.base, let row = change.original else { return [] }
    return Set(row.cells.indices.filter { row.cells[$0] != base.cells[$0] })
  }

  /// What a change of a row says about the one that it points to; nil if it points to the same.
  private func move(
    _ change: SideChange, _ reference: TableMerge.Reference, _ parent: TableMerge
  ) -> Move? {
    guard let old = change.base?.values(reference.columns),
      let new = change.original?.values(reference.columns)
    else { return nil }
    let move = Move(
      old: parent.key(of: old, pointedToIn: reference.parentColumns),
      new: parent.key(of: new, pointedToIn: reference.parentColumns))
    return move.old == move.new ? nil : move
  }

  /// Those of the moves that a side made of a row that the other side has still: by another value in the row, or by the
  /// same row under another key.
  private func made(
    _ moves: Set<Move>, _ columns: [Int], _ parent: TableMerge, _ side: MergeSide
  ) throws -> Set<Move> {
    if moves.isEmpty { return [] }
    func key(_ row: MergeRow) -> CanonicalKey? {
      row.values(columns).map { parent.key(of: $0, pointedToIn: columns) }
    }
    let (old, new) = (Set(moves.map(\.old)), Set(moves.map(\.new)))
    var found: Set<Move> = []
    var gone: [CanonicalKey: MergeRow] = [:]
    var born: [CanonicalKey: MergeRow] = [:]
    try eachChange(of: parent, side) { change in
      let (before, after) = (change.base.flatMap(key), change.original.flatMap(key))
      switch (before, after) {
      case (let before?, let after?):
        let move = Move(old: before, new: after)
        if moves.contains(move) { found.insert(move) }
      case (let before?, nil) where old.contains(before): gone[before] = change.base
      case (nil, let after?) where new.contains(after): born[after] = change.original
      default: break
      }
    }
    let lost = Set(
      parent.changes[side.other].filter(\.isDelete).compactMap { $0.base.flatMap(key) })
    let alike = moves.filter { move in
      guard let before = gone[move.old], let after = born[move.new] else { return false }
      let others = others(before, columns)
      return others == self.others(after, columns) && others.contains { $0 != .null }
    }
    let certain = try unmistakable(alike, gone, columns, parent, side)
    return found.union(certain).filter { !lost.contains($0.old) }
  }

  /// Those of the moves whose row was the only one of its kind that went, and came as the only one.
  private func unmistakable(
    _ moves: Set<Move>, _ gone: [CanonicalKey: MergeRow], _ columns: [Int], _ parent: TableMerge,
    _ side: MergeSide
  ) throws -> Set<Move> {
    if moves.isEmpty { return [] }
    func kind(_ move: Move) -> [CellValue] { gone[move.old].map { others($0, columns) } ?? [] }
    var counts = Dictionary(moves.map { (kind($0), (went: 0, came: 0)) }) { first, _ in first }
    try eachChange(of: parent, side) { change in
      if change.original == nil, let row = change.base {
        counts[others(row, columns)]?.went += 1
      } else if change.base == nil, let row = change.original {
        counts[others(row, columns)]?.came += 1
      }
    }
    return moves.filter { counts[kind($0)].map { $0.went == 1 && $0.came == 1 } ?? false }
  }

  /// All cells of a row but those of the key.
  private func others(_ row: MergeRow, _ columns: [Int]) -> [CellValue] {
    row.cells.indices.filter { !columns.contains($0) }.map { row.cells[$0] ?? .null }
  }

  private func eachChange(
    of table: TableMerge, _ side: MergeSide, _ body: (SideChange) -> Void
  ) throws {
    table.changes[side].forEach(body)
    var reader = try table.plain?.reader()
    while let group = try reader?.next() { group.changes(of: side).forEach(body) }
  }
}
