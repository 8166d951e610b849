import OpenWOHistory

/// The versions that a database may have grown from, in the order in which they are tried: the newest first.
///
/// But if two versions that were made from one are refuted, that one comes next. Otherwise many conflict copies of one state would be tried before
/// the state that all of them have grown from.
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

  /// Says that a database has not grown from a version.
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
