import OpenWOHistory

/// What a merge of another version into the live one has to do; decided from the graph alone.
enum MergeNeed: Equatable {
  /// Nothing: its rows are in the live version, or were deleted there since.
  case nothing
  /// They were, and a restore took them out: they cannot be told from deleted ones. `by` is the merge that had brought them; nil if they came in another way.
  case undone(by: VersionID?)
  /// Two sides made the same content independently.
  case alike
  /// The rows of both have to be brought together.
  case merge

  init(of theirs: Version, into ours: Version, in graph: VersionGraph) {
    let held = Lineage(graph).line(of: [ours.id])
    if !held.contains(theirs.id) {
      self = ours.content == theirs.content ? .alike : .merge
    } else if ours.content == theirs.content || graph.hasEffect(theirs, in: ours) {
      self = .nothing
    } else {
      let lineage = Lineage.ofRows(graph)
      let merges = graph.versions.filter { version in
        version.reason == .merge && held.contains(version.id)
          && lineage.line(of: [version.id]).contains(theirs.id)
      }
      self = .undone(by: merges.min { $0.at < $1.at }?.id)
    }
  }
}

extension VersionGraph {
  /// Whether the rows of a version have come into another and no restore undid them, or a later one brought them back.
  fileprivate func hasEffect(_ theirs: Version, in ours: Version) -> Bool {
    let lineage = Lineage.ofRows(self)
    var line = lineage.line(of: [ours.id])
    var contents: Set<ContentHash> = []
    while true {
      let restored = Set(
        line.compactMap { self[$0] }.filter { $0.reason == .restore }.map(\.content))
      if restored.isSubset(of: contents) { return line.contains(theirs.id) }
      contents.formUnion(restored)
      let twins = versions.filter { contents.contains($0.content) }.map(\.id)
      line.formUnion(lineage.line(of: twins))
    }
  }

  /// The only head that follows from the live version, unless it is the other side of a merge: it is checked out first,
  /// so that the merge is not one more head beside it.
  func onlyHead(after live: Version, besides theirs: Version) -> Version? {
    let next = effectiveHeads.map(\.version).filter {
      isAncestor(live.id, of: $0.id) && $0.content != theirs.content
    }
    return next.count == 1 ? next.first : nil
  }
}
