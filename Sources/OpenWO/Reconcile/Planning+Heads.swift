import OpenWOHistory

/// The heads: several become one, and the live file becomes equal to it.
extension Planning {
  /// The steps for the heads, once the live file is known.
  func bringTogether(_ live: Live) -> [Action] {
    if let due = contentDue {
      return [.wait(until: due, reason: "the content of a version is still on its way")]
    }
    if let stored = store(live) { return [stored] }
    switch heads.count {
    case 0: return []
    case 1: return join() ?? bring(live, to: heads[0])
    default: return join() ?? settle()
    }
  }

  /// Until when the content of a head may still arrive before the head is ignored.
  private var contentDue: Timestamp? {
    seen.graph.heads.filter { seen.incomplete.contains($0.id) }.compactMap { head in
      seen.arrivals[head.id].flatMap { due($0, policy.graceTime) }
    }.max()
  }

  /// Stores the content of a head that is in the live file and nowhere else.
  private func store(_ live: Live) -> Action? {
    guard let content = live.content, !holds(content) else { return nil }
    let head = seen.graph.heads.first { $0.content == content }
    return head.map { .store($0.id, from: nil) }
  }

  /// Turns several heads into one.
  private func settle() -> [Action] {
    let rivals = heads.map(\.version)
    if let due = ancestryDue(rivals) {
      return [.wait(until: due, reason: "versions between the heads are still on their way")]
    }
    // If one is an earlier state of the other, a merge would bring back what was deleted in
    // between.
    let isApart = !rivals.contains(where: \.isPassedOver)
    if policy.settling == .merge, isApart, heads.count <= Self.mostMerged {
      if seen.hasUnreadVersions, !showsOrigin(rivals[0], rivals[1]) {
        let soon = seen.now.advanced(bySeconds: 1)
        return [.wait(until: soon, reason: "a version cannot be read just now")]
      }
      if let due = crossingDue(rivals[0], rivals[1]) {
        return [.wait(until: due, reason: "another device merges these versions first")]
      }
      // Two at a time, the same two on every device that sees these heads.
      return [.merge(heads.prefix(2).flatMap { $0.members.map(\.id) }.sorted())]
    }
    guard let winner = seen.graph.winner(among: rivals) else { return [] }
    return [.settle(heads.flatMap { $0.members.map(\.id) }.sorted(), winner: winner.id)]
  }

  /// Whether all ancestors of two versions are here.
  private func showsOrigin(_ one: Version, _ other: Version) -> Bool {
    seen.graph.hasAllAncestors(of: one, other)
      && Lineage(seen.graph).bases(of: one, and: other).allSatisfy {
        !seen.incomplete.contains($0.id)
      }
  }

  /// Until when another device is left to merge two heads.
  ///
  /// If two devices merge each other's versions while newer ones are on their way, neither merge has
  /// the other one in it, and the next merge rests on both. Once one of them has waited, there is a single merge base again.
  private func crossingDue(_ one: Version, _ other: Version) -> Timestamp? {
    let lineage = Lineage(seen.graph)
    let turn = lineage.crossings(between: one, and: other) - Self.mostCrossed
    guard turn >= 0 else { return nil }
    let apart = lineage.line(of: [one.id]).symmetricDifference(lineage.line(of: [other.id]))
      .compactMap { seen.graph[$0] }.filter { !$0.isDerived }
    guard let first = apart.map(\.device).min(), first != seen.device else { return nil }
    // The other device may be gone: what is apart for long is merged here.
    return apart.compactMap { seen.arrivals[$0.id] }.min().flatMap {
      due($0, policy.crossingTime << Int64(turn))
    }
  }

  /// So many crossings cost little and mostly end by themselves.
  private static var mostCrossed: Int { 4 }

  /// More heads than any store has devices at odds: they are not merged one by one.
  private static var mostMerged: Int { 16 }

  /// Until when it is open whether the heads are rivals: a version that has not arrived may show that one follows from another.
  ///
  /// The last writer needs no proof that it follows from the others, only that no other follows from it.
  private func ancestryDue(_ rivals: [Version]) -> Timestamp? {
    let missing = rivals.map { seen.graph.missingAncestors(of: $0.id) }
    let winner = seen.graph.winner(among: rivals)
    // An external version without parents: its live file arrived before its version file did.
    let orphans = rivals.filter {
      policy.settling == .merge && $0.reason == .external && $0.parents.isEmpty && $0.note == nil
    }
    var latest = orphans.compactMap(arrival).compactMap { due($0, policy.ancestryTime) }.max()
    for (older, elder) in zip(missing, rivals) where policy.settling == .merge || elder == winner {
      for (younger, rival) in zip(missing, rivals) where !younger.isSubset(of: older) {
        guard let arrived = arrival(rival) else { continue }
        latest = [latest, due(arrived, policy.ancestryTime)].compactMap(\.self).max()
      }
    }
    return latest
  }

  /// When a version's ancestry became known.
  ///
  /// A merge adds nothing that its parents did not show, so their arrival counts.
  func arrival(_ version: Version) -> Timestamp? {
    let origins = seen.graph.origins(of: version.id).compactMap { seen.arrivals[$0] }
    return origins.max() ?? seen.arrivals[version.id]
  }

  /// The steps that make the live file equal to the only head.
  private func bring(_ live: Live, to target: VersionGraph.EffectiveHead) -> [Action] {
    let version = target.version
    if live.content == version.content {
      let isNoted = target.members.contains { $0.id == live.version }
      return (isNoted ? [] : [.note(version.id)]) + removals
    }
    if let damage = live.damage { return [.repair(version.id, reason: damage)] + removals }
    if let due = deliveryDue(version) {
      return [.wait(until: due, reason: "the service may still deliver the database")] + removals
    }
    if let content = live.content, !holds(content), let known = live.version {
      return [.store(known, from: nil)]
    }
    return [.adopt(version.id)] + removals
  }

  /// Until when the service may still deliver a head's live file; no service delivers this device's
  /// own writes to it.
  private func deliveryDue(_ head: Version) -> Timestamp? {
    guard !isOwn(head), let arrived = seen.arrivals[head.id] else { return nil }
    return due(arrived, policy.graceTime)
  }

  /// Whether this device wrote the newest head and should be the first to restore a missing live
  /// file.
  var isOwnHead: Bool { seen.graph.winner(among: heads.map(\.version)).map(isOwn) ?? true }

  /// Whether this device made a version or, if all devices make the same one, the last of its
  /// parents.
  private func isOwn(_ version: Version) -> Bool {
    var version = version
    while version.isDerived,
      let last = seen.graph.winner(among: version.parents.compactMap { seen.graph[$0] })
    {
      version = last
    }
    return version.device == seen.device
  }
}
