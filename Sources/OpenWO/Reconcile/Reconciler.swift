import OpenWOHistory

/// Decides what is to be done about a folder: a pure function of what was seen, the policy and the clock.
///
/// Nothing here reads or writes anything. The performer carries a plan out, the detector looks again, and the next plan is made, until it is
/// empty or only waits. Every plan keeps DESIGN §4: what is unknown is captured before anything is written over it.
struct Reconciler: Sendable {
  var policy: Policy

  /// The steps to take now, in order; empty when all is as it should be.
  func plan(_ seen: Sighting) -> [Action] {
    var actions: [Action] = seen.hasPending ? [.publish] : []
    if let lock = seen.lock {
      if !lock.isOurs && !lock.isAcknowledged { actions.append(.acknowledge(lock: lock.lock.id)) }
      return actions
    }
    actions += captures(seen)
    let live = planLive(seen)
    actions += live.actions
    if live.mayGoOn && actions.allSatisfy(\.leavesGraphAlone) { actions += planHeads(seen, live) }
    return actions
  }
}

extension Reconciler {
  /// What is known of the live file once its part of the plan is carried out.
  private struct LivePlan {
    var actions: [Action] = []
    /// Whether heads may be looked at: not while the live file is unknown or not readable.
    var mayGoOn = true
    /// The live file's content, if it is whole.
    var content: ContentHash?
    /// The version that the live file is a copy of.
    var version: VersionID?
    /// Why the live file has to be written anew.
    var damage: String?
  }

  private func captures(_ seen: Sighting) -> [Action] {
    seen.copies.compactMap { copy in
      guard let content = copy.content, !seen.graph.contains(content: content) else { return nil }
      let due = copy.changedAt.milliseconds + policy.settleTime
      guard copy.origin == .staging || due <= seen.now.milliseconds else {
        return .wait(until: Timestamp(milliseconds: due), reason: "\(copy.file) may still change")
      }
      return .captureCopy(copy.file, parents: [])
    }
  }

  private func planLive(_ seen: Sighting) -> LivePlan {
    switch seen.live {
    case .unreadable:
      LivePlan(mayGoOn: false)
    case .writeAheadLog:
      LivePlan(actions: [.fold], mayGoOn: false)
    case .missing(let since):
      planDamage(seen, since: since, time: policy.missingTime, reason: "the database is missing")
    case .doubtful(let why, let changedAt):
      planDamage(seen, since: changedAt, time: policy.settleTime, reason: why)
    case .whole(let content, let changedAt):
      planWhole(seen, content, changedAt)
    }
  }

  private func planDamage(
    _ seen: Sighting, since: Timestamp, time: Int64, reason: String
  ) -> LivePlan {
    let due = Timestamp(milliseconds: since.milliseconds + time)
    if due > seen.now {
      return LivePlan(actions: [.wait(until: due, reason: reason)], mayGoOn: false)
    }
    return LivePlan(version: nil, damage: reason)
  }

  private func planWhole(
    _ seen: Sighting, _ content: ContentHash, _ changedAt: Timestamp
  ) -> LivePlan {
    if let current = seen.current, seen.graph[current]?.content == content {
      return LivePlan(content: content, version: current)
    }
    if let known = knownVersion(seen, content) {
      let actions: [Action] = known == seen.current ? [] : [.note(known)]
      return LivePlan(actions: actions, content: content, version: known)
    }
    let due = Timestamp(milliseconds: changedAt.milliseconds + policy.settleTime)
    if !seen.isAlone && due > seen.now {
      let wait = Action.wait(until: due, reason: "the database may still change")
      return LivePlan(actions: [wait], mayGoOn: false)
    }
    return LivePlan(
      actions: [.captureLive(parents: parentsOfLive(seen))], mayGoOn: false)
  }

  /// The version that a whole live file with known content is taken for; nil when it is somebody's edit.
  ///
  /// An old content that came back is a late delivery where other devices write, and a restore by hand where nobody else does.
  private func knownVersion(_ seen: Sighting, _ content: ContentHash) -> VersionID? {
    let heads = seen.graph.effectiveHeads
    if let head = heads.first(where: { $0.version.content == content }) { return head.version.id }
    if seen.isAlone && seen.current != nil { return nil }
    return seen.graph.latest(content: content)?.id
  }

  /// What an unknown live file was made from: the version that stood here before it.
  ///
  /// Where that version was pushed aside into a conflicted copy, the new file did not follow from it but met it: the two are rivals.
  private func parentsOfLive(_ seen: Sighting) -> [VersionID] {
    guard let current = seen.current.flatMap({ seen.graph[$0] }), !current.parents.isEmpty,
      seen.copies.contains(where: { $0.origin != .staging && $0.content == current.content })
    else { return seen.graph.familyOfHead(seen.current) }
    return current.parents
  }

  /// More heads than any store has devices at odds: they are not merged one by one.
  private static var mostMerged: Int { 16 }

  private func planHeads(_ seen: Sighting, _ live: LivePlan) -> [Action] {
    let heads = seen.graph.effectiveHeads
    guard let target = heads.first else { return [] }
    guard heads.count == 1 else {
      let all = heads.flatMap { $0.members.map(\.id) }
      guard all.allSatisfy({ !seen.incomplete.contains($0) }) else { return [] }
      guard policy.settling == .merge, heads.count <= Self.mostMerged else {
        return [.settle(all.sorted())]
      }
      // Two at a time, the same two on every device that sees these heads.
      return [.merge(heads.prefix(2).flatMap { $0.members.map(\.id) }.sorted())]
    }
    return bring(seen, live, to: target) + removals(seen)
  }

  /// Brings the live file to the only head.
  private func bring(
    _ seen: Sighting, _ live: LivePlan, to target: VersionGraph.EffectiveHead
  ) -> [Action] {
    let id = target.version.id
    if live.content == target.version.content {
      return target.members.contains { $0.id == live.version } ? [] : [.note(id)]
    }
    guard !seen.incomplete.contains(id) else { return [] }
    if let damage = live.damage { return [.repair(id, reason: damage)] }
    // What this device wrote itself no service will deliver to it.
    let isOwn = seen.graph.versions.contains {
      $0.device == seen.device && $0.content == target.version.content
    }
    let arrived = isOwn ? 0 : seen.arrivals[id]?.milliseconds ?? 0
    let due = Timestamp(milliseconds: arrived + policy.graceTime)
    if due > seen.now {
      return [.wait(until: due, reason: "the service may still deliver the database")]
    }
    return [.adopt(id)]
  }

  /// Whether a content is in the history only because it was captured from a copy: a person's backup has been live before.
  private func isCaptured(_ content: ContentHash, _ seen: Sighting) -> Bool {
    seen.graph.versions.allSatisfy { version in
      version.content != content || version.copyName != nil
        || version.reason == .external && version.parents.isEmpty
    }
  }

  private func removals(_ seen: Sighting) -> [Action] {
    seen.copies.compactMap { copy in
      guard let content = copy.content, seen.graph.contains(content: content),
        copy.origin == .staging || copy.origin == .service
          || copy.origin == .perhapsService && isCaptured(content, seen)
      else { return nil }
      return .remove(copy.file)
    }
  }
}

extension Action {
  /// Whether the graph after this step is the one before it, so that the plan may go on.
  var leavesGraphAlone: Bool {
    switch self {
    case .fold, .captureLive, .captureCopy, .settle, .merge: false
    default: true
    }
  }
}
