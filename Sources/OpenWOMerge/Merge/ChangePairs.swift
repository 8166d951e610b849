/// The changes of both sides, those to the same row side by side, in an order both devices share.
struct ChangePairs {
  private(set) var pairs: [Sides<SideChange?>] = []

  init(_ table: TableMerge) {
    var waiting: [CanonicalKey: [SideChange]] = [:]
    for change in table.changes.theirs {
      if let key = table.key(change) { waiting[key, default: []].append(change) }
    }
    for change in table.changes.ours {
      guard let key = table.key(change) else { continue }
      let twin = waiting[key]?.isEmpty ?? true ? nil : waiting[key]?.removeFirst()
      pairs.append(Sides(ours: change, theirs: twin))
    }
    for change in waiting.values.joined() { pairs.append(Sides(ours: nil, theirs: change)) }
    let keys = pairs.map { pair in
      (pair.ours?.row ?? pair.ours?.base ?? pair.theirs?.row ?? pair.theirs?.base)
        .map(table.keyValues) ?? []
    }
    pairs = pairs.indices.sorted { CellValue.rank(keys[$0], keys[$1]) < 0 }.map { pairs[$0] }
  }
}
