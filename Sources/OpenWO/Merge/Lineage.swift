import OpenWOHistory

/// Which versions a version's rows come from.
///
/// This is the graph but for one thing: a version made by last writer wins follows from its winner alone, as nothing of the losers is in it.
/// So what lost can still be merged.
struct Lineage {
  let graph: VersionGraph
  /// Why versions are made in which there is nothing of a parent that has another content.
  var replacing: Set<VersionReason> = [.settle]

  /// The versions and all that their rows come from.
  func line(of ids: some Sequence<VersionID>) -> Set<VersionID> {
    var found = Set(ids)
    var waiting = Array(found)
    while let next = waiting.popLast() {
      for parent in sources(of: next) where found.insert(parent).inserted {
        waiting.append(parent)
      }
    }
    return found
  }

  /// Those of the versions whose rows come into no other of them.
  func tips(among versions: some Collection<Version>) -> [Version] {
    let inner = line(of: versions.flatMap { sources(of: $0.id) })
    return versions.filter { !inner.contains($0.id) }
  }

  /// The versions whose rows have come into no later one.
  var tips: [Version] { tips(among: graph.versions.filter { !graph.isPruned($0.id) }) }

  private func sources(of id: VersionID) -> [VersionID] {
    guard let version = graph[id] else { return [] }
    guard replacing.contains(version.reason) else { return version.parents }
    // One that is not in sight yet may be the winner.
    return version.parents.filter { graph[$0].map { $0.content == version.content } ?? true }
  }

  /// A version, with its parents where it is not in the graph yet.
  private func start(_ version: Version) -> [VersionID] {
    graph.contains(version.id) ? [version.id] : [version.id] + version.parents
  }

  /// The nearest common ancestor of two versions whose content is at hand; nil when there is none.
  ///
  /// Of several it is the earliest one, by an order that all devices share.
  func base(
    of ours: Version, and theirs: Version, holds: (Version) -> Bool
  ) -> Version? {
    let common = line(of: start(ours)).intersection(line(of: start(theirs)))
      .compactMap { graph[$0] }.filter { !graph.isPruned($0.id) && holds($0) }
    let further = line(of: common.flatMap { sources(of: $0.id) })
    return common.filter { !further.contains($0.id) }.min { $0.loses(to: $1) }
  }
}
