/// Finds rows that are the same on both sides under different keys, as their unique values tell.
struct NaturalKeys {
  let table: TableMerge
  let first: MergeSide

  private struct Candidates {
    var byUnique: [CanonicalKey: Int] = [:]
    var keys: Set<CanonicalKey> = []
  }

  /// Gives one of each such pair the other's key; returns whether there was any.
  func unify() -> Bool {
    guard table.rule != .singleton, canRekey else { return false }
    var hasFound = false
    for unique in table.uniques {
      let mine = candidates(first, unique)
      let theirs = candidates(first.other, unique)
      for (key, index) in theirs.byUnique.sorted(by: { $0.value < $1.value }) {
        guard let twin = mine.byUnique[key] else { continue }
        if join(index, twin, mine: mine, theirs: theirs) { hasFound = true }
      }
    }
    return hasFound
  }

  /// Whether a row's key is only its own: where it is a reference too, it cannot be chosen.
  private var canRekey: Bool {
    let references = Set(table.references.flatMap(\.columns))
    switch table.shape.identity {
    case .rowid: return table.shape.rowidColumn.map { !references.contains($0) } ?? true
    case .primaryKey(let key): return key.allSatisfy { !references.contains($0.column) }
    case .wholeRow: return false
    }
  }

  private func candidates(_ side: MergeSide, _ unique: UniqueShape) -> Candidates {
    var found = Candidates()
    for (index, change) in table.changes[side].enumerated() {
      if let key = table.key(change) { found.keys.insert(key) }
      guard let row = change.row, let value = table.uniqueKey(row, unique) else { continue }
      if let base = change.base, table.uniqueKey(base, unique) == value { continue }
      found.byUnique[value] = index
    }
    return found
  }

  private func join(_ index: Int, _ twin: Int, mine: Candidates, theirs: Candidates) -> Bool {
    let other = table.changes[first.other][index]
    let own = table.changes[first][twin]
    guard let otherRow = other.row, let ownRow = own.row,
      table.key(otherRow) != table.key(ownRow)
    else { return false }
    if other.isInsert, other.givenKey == nil,
      own.isInsert || !theirs.keys.contains(table.key(ownRow))
    {
      give(first.other, index, keyOf: ownRow)
      return true
    }
    if own.isInsert, own.givenKey == nil, !other.isInsert,
      !mine.keys.contains(table.key(otherRow))
    {
      give(first, twin, keyOf: otherRow)
      return true
    }
    return false
  }

  private func give(_ side: MergeSide, _ index: Int, keyOf row: MergeRow) {
    guard let original = table.changes[side][index].original else { return }
    let given: GivenKey
    switch table.shape.identity {
    case .primaryKey(let key):
      given = .values(
        Dictionary(
          key.map { ($0.column, row.cells[$0.column] ?? .null) }, uniquingKeysWith: { a, _ in a }))
    default: given = .rowid(row.rowid ?? 0)
    }
    let moved = table.rekey(original, given)
    table.changes[side][index].givenKey = given
    table.changes[side][index].row = moved
    table.renumbered.append(
      Renumbering(
        side: side, from: table.keyValues(original), to: table.keyValues(moved), isSameRow: true))
  }
}
