/// Finds rows that both sides made and that are the same under different keys, as their unique values tell.
struct NaturalKeys {
  let table: TableMerge
  let first: MergeSide

  /// Gives one of each such pair the other's key; returns whether there was any.
  func unify() -> Bool {
    guard table.rule != .singleton, table.canRekey else { return false }
    var hasFound = false
    for unique in table.naturalKeys {
      let mine = candidates(first, unique)
      let theirs = candidates(first.other, unique)
      for (key, index) in theirs.sorted(by: { $0.value < $1.value }) {
        if let twin = mine[key], join(index, twin) { hasFound = true }
      }
    }
    for unique in table.computed {
      let mine = candidates(first, unique)
      let theirs = candidates(first.other, unique)
      for (key, index) in theirs.sorted(by: { $0.value < $1.value }) {
        if let twin = mine[key], join(index, twin) { hasFound = true }
      }
    }
    return hasFound
  }

  private func candidates(_ side: MergeSide, _ unique: ComputedUnique) -> [CanonicalKey: Int] {
    var found: [CanonicalKey: Int] = [:]
    for (index, change) in table.changes[side].enumerated() where change.isInsert {
      if let key = change.original.flatMap({ unique.keys[side][table.key($0)] }) {
        found[key] = index
      }
    }
    return found
  }

  /// The rows that a side made, by their unique values: one that was there before is another one, whatever was written into it.
  private func candidates(_ side: MergeSide, _ unique: UniqueShape) -> [CanonicalKey: Int] {
    var found: [CanonicalKey: Int] = [:]
    var doubled: Set<CanonicalKey> = []
    for (index, change) in table.changes[side].enumerated() where change.isInsert {
      guard let key = change.row.flatMap({ table.uniqueKey($0, unique) }) else { continue }
      if found.updateValue(index, forKey: key) != nil { doubled.insert(key) }
    }
    // Of a declared key there may be several on one side: none of them is the other side's row.
    return found.filter { !doubled.contains($0.key) }
  }

  private func join(_ index: Int, _ twin: Int) -> Bool {
    let other = table.changes[first.other][index]
    guard other.givenKey == nil, let otherRow = other.row,
      let ownRow = table.changes[first][twin].row, table.key(otherRow) != table.key(ownRow)
    else { return false }
    give(first.other, index, keyOf: ownRow)
    return true
  }

  private func give(_ side: MergeSide, _ index: Int, keyOf row: MergeRow) {
    guard let original = table.changes[side][index].original else { return }
    let given = table.givenKey(of: row)
    let moved = table.rekey(original, given)
    table.changes[side][index].givenKey = given
    table.changes[side][index].row = moved
    table.renumbered.append(
      Renumbering(
        side: side, from: table.keyValues(original), to: table.keyValues(moved), isSameRow: true))
  }
}
