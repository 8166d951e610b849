import OpenWOHistory

/// The possible parents of a database, in the order in which they are tried: the newest first.
///
/// If two children of one version are refuted, that version comes next. Otherwise many conflict
/// copies of one state would be tried before that state.
struct OriginCandidates {
  private let graph: VersionGraph
  /// The newest last.
  private var waiting: [Version]
  private var preferred: [Version] = []
  private var seen: Set<VersionID> = []
  private var refutedChildren: [VersionID: Int] = [:]

  init(_ graph: VersionGraph) {
    self.graph = graph
    waiting = graph.newestFirst.filter { $0.reason != .settle }.reversed()
  }

  /// The next one; nil after the last.
  mutating func next() -> Version? {
    while let version = preferred.popLast() ?? waiting.popLast() {
      if seen.insert(version.id).inserted { return version }
    }
    return nil
  }

  /// Records that a database does not follow from a version.
  mutating func refute(_ version: Version) {
    for parent in version.parents {
      refutedChildren[parent, default: 0] += 1
      guard refutedChildren[parent] == 2, let found = graph[parent], found.reason != .settle,
        !graph.isPruned(parent)
      else { continue }
      preferred.append(found)
    }
  }
}
