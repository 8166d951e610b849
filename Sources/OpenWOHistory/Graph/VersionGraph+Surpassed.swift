/// Merges that say nothing which another head does not say.
///
/// An automatic merge has no rows of its own: all of them come from versions that devices wrote. If
/// another head comes from these as well, the two are no rivals, and one more merge could only take
/// a row under two numbers for two rows. So the other head remains, and the merge is left out.
extension VersionGraph {
  /// Those of some heads that remain.
  func withoutSurpassed(_ heads: [EffectiveHead]) -> [EffectiveHead] {
    guard heads.count > 1, heads.contains(where: { $0.version.isAutomaticMerge }) else {
      return heads
    }
    let lineage = Lineage(self)
    let starts = heads.map { $0.members.compactMap { indices[$0.id] } }
    let lines = starts.map { reach(from: $0, along: lineage.sources) }
    let guesses = lines.map(guesses)
    func isSurpassed(_ head: Int, by other: Int) -> Bool {
      heads[head].version.isAutomaticMerge
        && saysNothing(starts[head], beside: lines[other], lineage)
    }
    // The same on every device: of two that say the same, the one goes that knew less of where its parents come from.
    let lastFirst = heads.indices.sorted { one, other in
      if guesses[one] != guesses[other] { return guesses[one] > guesses[other] }
      return heads[other].version.ranks(before: heads[one].version)
    }
    // One after the other, as several may surpass each other in a circle.
    var remaining = Set(heads.indices)
    for head in lastFirst
    where remaining.contains(where: { $0 != head && isSurpassed(head, by: $0) }) {
      remaining.remove(head)
    }
    return heads.indices.filter(remaining.contains).map { heads[$0] }
  }

  /// Whether a head is a merge that was made before all versions had arrived that it comes from, and all are here now.
  ///
  /// It has no rows of its own, and can be made again from all of them. The same is true of a file with its content that was found before it.
  func isToBeMadeAgain(_ head: Version) -> Bool {
    func isOvertaken(_ version: Version) -> Bool {
      version.isPartial && version.isAutomaticMerge && hasAllAncestors(of: version)
    }
    if isOvertaken(head) { return true }
    guard head.isDelivered, let place = indices[head.id], isFoundEarly(place) else { return false }
    return versions.allSatisfy {
      $0.content != head.content || $0.reason == .external || isOvertaken($0)
    }
  }

  /// The merges among the heads that another head leaves behind, or that are made again.
  package var surpassedMerges: Set<VersionID> {
    let known = Set(effectiveHeads.lazy.flatMap(\.members).map(\.id))
    return Set(heads.lazy.filter { $0.isAutomaticMerge && !known.contains($0.id) }.map(\.id))
  }

  /// Whether all versions that devices wrote and that these places come from are in a line.
  private func saysNothing(_ starts: [Int], beside line: [Bool], _ lineage: Lineage) -> Bool {
    var contents: Set<ContentHash>?
    var seen = Set(starts)
    var waiting = starts
    while let place = waiting.popLast() {
      if line[place] { continue }
      let version = versions[place]
      if isFoundEarly(place) {
        let known =
          contents ?? Set(versions.indices.filter { line[$0] }.map { versions[$0].content })
        contents = known
        if known.contains(version.content) { continue }
      }
      let isCopy = lineage.sources[place].contains { versions[$0].content == version.content }
      guard version.isAutomaticMerge || isCopy && isFoundEarly(place),
        parents[place].count == version.parents.count
      else { return false }
      for source in lineage.sources[place] where seen.insert(source).inserted {
        waiting.append(source)
      }
    }
    return true
  }

  /// How little the versions of a line knew of what they were made from: the most where a merge was made before all versions had arrived that
  /// its parents come from, and less where a file was found before its version.
  private func guesses(_ line: [Bool]) -> Int {
    let places = line.indices.filter { line[$0] }
    if places.contains(where: { versions[$0].isPartial }) { return 2 }
    return places.contains(where: isFoundEarly) ? 1 : 0
  }

  /// Whether a version is a file that was found before the version came that has its content.
  private func isFoundEarly(_ place: Int) -> Bool {
    let version = versions[place]
    guard version.reason == .external else { return false }
    let twins = versions.indices.filter { $0 != place && versions[$0].content == version.content }
    guard twins.contains(where: { versions[$0].reason != .external }) else { return false }
    let past = reach(from: parents[place], along: parents)
    return !twins.contains { past[$0] }
  }
}

extension Version {
  /// Whether nothing but the parents decides what is in this merge, so that every device would make the same one.
  fileprivate var isAutomaticMerge: Bool { reason == .merge && isDerived && !isChosen }
}
