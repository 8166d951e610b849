/// Which stores the versions of a graph began as, and which of these have not been brought together yet.
///
/// Two devices that start before their folders are connected make a store each. Then the graph has two beginnings, and heads that share
/// nothing. All answers follow from the versions alone, so all devices that have them give the same.
package struct Beginnings {
  /// Two versions to be joined, as their stores began apart.
  package struct Apart: Sendable, Hashable {
    /// A head, and another head or a version that the last writer won over before its store was known.
    package let versions: [Version]
    /// All that a version which joins the two has to name.
    package let parents: [VersionID]
  }

  private let graph: VersionGraph
  /// The places of the versions that began a store, the oldest first.
  private let roots: [Int]
  private let parents: [[Int]]
  private let marks: [UInt64]

  package init(_ graph: VersionGraph) {
    self.graph = graph
    roots = graph.beginnings
    guard roots.count > 1 else {
      (parents, marks) = ([], [])
      return
    }
    parents = graph.knownParents
    marks = graph.marks(roots, along: Self.children(parents))
  }

  private static func children(_ parents: [[Int]]) -> [[Int]] {
    var children = [[Int]](repeating: [], count: parents.count)
    for (child, places) in parents.enumerated() {
      for parent in places { children[parent].append(child) }
    }
    return children
  }

  /// Whether the graph has more than one beginning.
  package var areSeveral: Bool { roots.count > 1 }

  /// The versions that began stores, the oldest first.
  package var versions: [Version] { roots.map { graph.versions[$0] } }

  /// The beginnings that a version follows from, the oldest first.
  package func of(_ id: VersionID) -> [Version] {
    guard areSeveral, let place = graph.indices[id] else {
      return versions.filter { $0.id == id || graph.isAncestor($0.id, of: id) }
    }
    return roots(in: marks[place])
  }

  private func roots(in mark: UInt64) -> [Version] {
    roots.enumerated().filter { mark & 1 << UInt64($0.offset) != 0 }
      .map { graph.versions[$0.element] }
  }
}

extension Beginnings {
  /// The versions that a version follows from, itself among them, in which the rows of several stores came together.
  ///
  /// Beside joins these are merges with a content whose store was not known then.
  package func joins(behind id: VersionID) -> [Version] {
    guard areSeveral, let place = graph.indices[id] else { return [] }
    let line = graph.reach(from: [place], along: graph.parents)
    return graph.versions.indices.filter { place in
      guard line[place], graph.versions[place].reason == .merge,
        marks[place].nonzeroBitCount > 1
      else { return false }
      return graph.versions[place].joins != nil
        || !parents[place].contains { marks[$0] == marks[place] }
    }.map { graph.versions[$0] }
  }

  /// The next two versions to be joined, the same on every device that has these heads; nil if all
  /// have come together.
  ///
  /// `incomplete` are versions whose content is not here. `areOfOneKind` tells of two beginnings whether they are stores of one app and
  /// environment, as far as they say.
  package func apart(
    _ heads: [VersionGraph.EffectiveHead], without incomplete: Set<VersionID>,
    areOfOneKind: (Version, Version) -> Bool
  ) -> Apart? {
    guard areSeveral else { return nil }
    for (number, one) in heads.enumerated() {
      for other in heads[(number + 1)...]
      where areToBeJoined(one.version, other.version, areOfOneKind: areOfOneKind) {
        return Apart(
          versions: [one.version, other.version],
          parents: (one.members + other.members).map(\.id).sorted())
      }
    }
    for head in heads {
      if let apart = behind(head, incomplete, areOfOneKind) { return apart }
    }
    return nil
  }

  /// Whether two versions began apart as stores that may be joined.
  package func areToBeJoined(
    _ one: Version, _ other: Version, areOfOneKind: (Version, Version) -> Bool
  ) -> Bool {
    areSeveral && areApart(one, other) && mayBeJoined(mark(one) | mark(other), areOfOneKind)
  }

  /// Whether two versions follow from different beginnings, and no version that both follow from has all of these.
  package func areApart(_ one: Version, _ other: Version) -> Bool {
    let (a, b) = (mark(one), mark(other))
    guard a != 0, b != 0, (a | b).nonzeroBitCount > 1,
      let first = graph.indices[one.id], let second = graph.indices[other.id]
    else { return false }
    let lines = zip(
      graph.reach(from: [first], along: parents), graph.reach(from: [second], along: parents))
    return !zip(lines, marks).contains { $0.0 && $0.1 && $1 == a | b }
  }

  private func mark(_ version: Version) -> UInt64 {
    graph.indices[version.id].map { marks[$0] } ?? 0
  }

  /// Stores are joined that one device wrote, and one that several share.
  private func mayBeJoined(_ mark: UInt64, _ areOfOneKind: (Version, Version) -> Bool) -> Bool {
    let found = roots(in: mark)
    guard let first = found.first, found.allSatisfy({ areOfOneKind(first, $0) }) else {
      return false
    }
    return roots.indices.filter { mark & 1 << UInt64($0) != 0 && isShared($0) }.count < 2
  }

  /// Whether a device other than its maker has written into a store first of all.
  ///
  /// A device of one store may have written into the other one while they met.
  private func isShared(_ bit: Int) -> Bool {
    let maker = graph.versions[roots[bit]].device
    var first: [String: Int] = [:]
    for place in graph.versions.indices where parents[place] == graph.parents[place] {
      let version = graph.versions[place]
      guard !version.isDerived, marks[place].nonzeroBitCount == 1 else { continue }
      if let known = first[version.device], graph.versions[known].loses(to: version) { continue }
      first[version.device] = place
    }
    return first.contains { $0.key != maker && marks[$0.value] == 1 << UInt64(bit) }
  }

  /// A version behind a head, of a store whose rows are in no head.
  ///
  /// The last writer won over it before it was known that the stores began apart. If the last writer
  /// won because the join was refused, that stays.
  private func behind(
    _ head: VersionGraph.EffectiveHead, _ incomplete: Set<VersionID>,
    _ areOfOneKind: (Version, Version) -> Bool
  ) -> Apart? {
    let lineage = Lineage(graph)
    let line = lineage.line(of: head.members.map(\.id))
    let all = head.members.reduce(0) { $0 | mark($1) }
    let missing = roots(in: all).filter { !line.contains($0.id) }
    guard !missing.isEmpty, mayBeJoined(all, areOfOneKind) else { return nil }
    let lost = lineage.tips.filter { tip in
      !line.contains(tip.id) && mark(tip).nonzeroBitCount == 1 && !tip.isDerived && !tip.isAside
        && !incomplete.contains(tip.id)
        && missing.contains { lineage.line(of: [tip.id]).contains($0.id) } && !isRefused(tip)
    }
    guard let last = graph.winner(among: lost) else { return nil }
    return Apart(
      versions: [head.version, last], parents: (head.members.map(\.id) + [last.id]).sorted())
  }

  /// Whether the last writer won over a version because it could not be joined.
  private func isRefused(_ version: Version) -> Bool {
    graph.children(of: version.id).contains { $0.apart != nil }
  }
}
