extension VersionGraph {
  /// Heads that count as one, and the one that represents them.
  package struct EffectiveHead: Sendable, Hashable {
    /// The version that represents them: a merge before a settlement of the same heads, then the
    /// lowest id.
    package let version: Version
    /// All heads that it represents, including itself, sorted by id; a child names them all as
    /// parents.
    package let members: [Version]
  }

  /// The heads, with those grouped that need no decision, sorted by the id of their representative.
  ///
  /// Two merges or settlements of the same parents are never merged again, nor are two heads of equal content:
  /// the one with the lower id goes on, but a merge before a settlement. A head whose content another head's line has
  /// left behind counts with that one: see ``joiningOutdated(_:)``. Heads that wait for a person are left out: see ``headsAside``, and so
  /// are merges that say nothing new: see ``withoutSurpassed(_:)``.
  package var effectiveHeads: [EffectiveHead] { effectiveHeads { _ in false } }

  /// The same without the heads that satisfy the predicate, as those whose content has not arrived.
  package func effectiveHeads(without isLeftOut: (VersionID) -> Bool) -> [EffectiveHead] {
    withoutHeads { id in
      isLeftOut(id) || self[id].map { isAside($0) || isToBeMadeAgain($0) } ?? false
    }.allHeads
  }

  private var allHeads: [EffectiveHead] {
    let heads = heads
    guard heads.count > 1 else { return heads.map { EffectiveHead(version: $0, members: [$0]) } }
    var representatives: [Version] = []
    var members: [ContentHash: [Version]] = [:]
    for group in joined(heads) {
      let content = group[0].content
      if members[content] == nil { representatives.append(group[0]) }
      members[content, default: []] += group
    }
    let found = representatives.map { version in
      let all = (members[version.content] ?? []).sorted { $0.id < $1.id }
      return EffectiveHead(version: version, members: all)
    }
    return joiningOutdated(withoutSurpassed(found))
  }

  /// Groups heads that resolve the same parents, each group with its winner first, sorted by the
  /// winner's id.
  private func joined(_ heads: [Version]) -> [[Version]] {
    var groups: [[Version]] = []
    var places: [[VersionID]: Int] = [:]
    for head in heads {
      if let parents = head.broughtTogether {
        if let place = places[parents] {
          groups[place].append(head)
          continue
        }
        places[parents] = groups.count
      }
      groups.append([head])
    }
    return groups.map { $0.sorted { $0.ranks(before: $1) } }.sorted { $0[0].id < $1[0].id }
  }

  /// Groups heads that hold nothing new with the heads that were made from their content.
  ///
  /// Several devices capture one content if it travels faster than its version. Such a late twin is
  /// not a rival of what was made from that content meanwhile, whatever its stamp. Deliberate
  /// reverts and restores are not late twins: they compete by time like any other write. While
  /// ancestors of a head are missing, it is not grouped.
  private func joiningOutdated(_ heads: [EffectiveHead]) -> [EffectiveHead] {
    guard heads.count > 1 else { return heads }
    let lines = heads.map { past(of: $0.members.compactMap { indices[$0.id] }) }
    let current = Set(heads.lazy.map(\.version.content))
    let pasts = lines.map { line in
      Set(line.lazy.map { versions[$0].content }.filter(current.contains))
    }
    guard pasts.contains(where: { !$0.isEmpty }) else { return heads }
    let isWanted = zip(heads, lines).map { head, line in
      let content = head.version.content
      return head.members.contains { $0.reason == .restore }
        || past(of: line.filter { versions[$0].content != content })
          .contains { versions[$0].content == content }
    }
    let missing = heads.map { head in
      head.members.reduce(into: Set()) { $0.formUnion(missingAncestors(of: $1.id)) }
    }
    func isOutdated(_ head: Int, by other: Int) -> Bool {
      !isWanted[head] && missing[head].isSubset(of: missing[other])
        && pasts[other].contains(heads[head].version.content)
        && !pasts[head].contains(heads[other].version.content)
    }
    let all = heads.indices
    let lasting = all.filter { head in !all.contains { isOutdated(head, by: $0) } }
    guard lasting.count < heads.count, !lasting.isEmpty else { return heads }
    var members = heads.map(\.members)
    var kept = Set(lasting)
    for head in all where !kept.contains(head) {
      if let successor = lasting.first(where: { isOutdated(head, by: $0) }) {
        members[successor] += heads[head].members
      } else {
        kept.insert(head)
      }
    }
    return kept.sorted().map { place in
      EffectiveHead(
        version: heads[place].version, members: members[place].sorted { $0.id < $1.id })
    }
  }

  /// The places of all that some were made from, directly or not.
  private func past(of places: [Int]) -> [Int] {
    let marks = reach(from: places.flatMap { parents[$0] }, along: parents)
    return versions.indices.filter { marks[$0] }
  }

  /// The graph without the heads that satisfy the predicate, and without those that come to light behind them.
  package func withoutHeads(where isLeftOut: (VersionID) -> Bool) -> VersionGraph {
    var openChildren = children.map(\.count)
    var waiting = versions.indices.filter { openChildren[$0] == 0 }
    var leftOut: Set<Int> = []
    while let place = waiting.popLast() {
      // A pruned version is there only as long as another one was made from it.
      guard isPruned[place] || isLeftOut(versions[place].id) else { continue }
      leftOut.insert(place)
      for parent in parents[place] {
        openChildren[parent] -= 1
        if openChildren[parent] == 0 { waiting.append(parent) }
      }
    }
    if leftOut.isEmpty { return self }
    let rest = versions.indices.filter { !leftOut.contains($0) }
    return VersionGraph(
      rest.filter { !isPruned[$0] }.map { versions[$0] },
      pruned: rest.filter { isPruned[$0] }.map { versions[$0] })
  }

  /// The versions of devices that a version says no more than: itself, or where all devices make the same one, those it was made from.
  package func origins(of id: VersionID) -> Set<VersionID> {
    var found: Set<VersionID> = []
    var seen: Set<Int> = []
    var waiting = indices[id].map { [$0] } ?? []
    while let place = waiting.popLast() {
      guard seen.insert(place).inserted else { continue }
      let version = versions[place]
      if version.isDerived, !parents[place].isEmpty {
        waiting += parents[place]
      } else {
        found.insert(version.id)
      }
    }
    return found
  }

  /// The devices without whose files a version may never be whole: its own, or of one that all devices make alike those of its origins.
  package func makers(of id: VersionID) -> [(id: String, name: String)] {
    origins(of: id).compactMap { self[$0] }.filter { !$0.isDerived }
      .map { (id: $0.device, name: $0.deviceName) }
  }

  /// The one among the versions that wins over all the others; nil if there are none.
  ///
  /// Ancestors of others cannot win; among the rest the later one does. So the answer depends on no order.
  package func winner(among candidates: [Version]) -> Version? {
    let places = Set(candidates).compactMap { indices[$0.id] }
    let beaten = reach(from: places.flatMap { parents[$0] }, along: parents)
    let open = places.filter { !beaten[$0] }
    return (open.isEmpty ? places : open).map { versions[$0] }.max { $0.loses(to: $1) }
  }

  /// The head that wins over all the others; nil without versions.
  package var newestHead: Version? { winner(among: effectiveHeads.map(\.version)) }

  /// All versions but the pruned ones, newest first: a child always before its parents, otherwise the later one first.
  package var newestFirst: [Version] {
    let order = versions.indices.sorted { versions[$1].loses(to: versions[$0]) }
    var rank = [Int](repeating: 0, count: versions.count)
    for (place, index) in order.enumerated() { rank[index] = place }
    var openChildren = children.map(\.count)
    // Ready versions by rank, the best at the end.
    var ready = order.reversed().filter { openChildren[$0] == 0 }
    var result: [Int] = []
    result.reserveCapacity(versions.count)
    var isListed = [Bool](repeating: false, count: versions.count)
    while let index = ready.popLast() {
      result.append(index)
      isListed[index] = true
      for parent in parents[index] {
        openChildren[parent] -= 1
        guard openChildren[parent] == 0 else { continue }
        let place = ready.partitioningIndex { rank[$0] < rank[parent] }
        ready.insert(parent, at: place)
      }
    }
    // Only a circle can be left over.
    result += order.lazy.filter { !isListed[$0] }
    return result.lazy.filter { !isPruned[$0] }.map { versions[$0] }
  }
}

extension Array {
  /// The first place whose element, and all after it, satisfy the predicate.
  fileprivate func partitioningIndex(where belongsAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
