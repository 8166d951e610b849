import OpenWOHistory

/// The making of one plan: what was seen, and what follows from it at once.
struct Planning {
  let seen: Sighting
  let policy: Policy
  /// The heads that count.
  let heads: [VersionGraph.EffectiveHead]

  init(seen: Sighting, policy: Policy) {
    self.seen = seen
    self.policy = policy
    // As long as the content of a head has not arrived, neither has the head.
    heads = seen.graph.effectiveHeads(without: seen.incomplete.contains)
  }

  /// The live file after its part of the plan.
  struct Live {
    var actions: [Action] = []
    /// Whether heads may be looked at: not while the live file is unknown or not readable.
    var mayGoOn = true
    /// The live file's content, if it is whole.
    var content: ContentHash?
    /// The version that the live file is a copy of.
    var version: VersionID?
    /// Why the live file has to be replaced.
    var damage: String?
  }

  /// When a time after a moment ends; nil if it has ended, or the moment is in the future.
  ///
  /// A stamp from the future shows that a clock was changed, not when something happened, so it
  /// does not count.
  func due(_ since: Timestamp, _ time: Int64) -> Timestamp? {
    let due = since.advanced(byMilliseconds: time)
    return since <= seen.now && due > seen.now ? due : nil
  }

  /// The steps for versions that vanished; the service may still bring them back.
  ///
  /// An unknown live file is captured all the same; meanwhile no file counts as an older version.
  func putBack(_ vanished: Sighting.Vanished) -> [Action] {
    if case .whole(let content, _) = seen.live, vanished.contents.contains(content) {
      return [putBackWhenDue(vanished)]
    }
    let captures = live.actions.filter { !$0.leavesGraphAlone }
    return captures.isEmpty ? [putBackWhenDue(vanished)] : captures
  }

  private func putBackWhenDue(_ vanished: Sighting.Vanished) -> Action {
    if let due = due(vanished.since, policy.vanishedTime) {
      return .wait(until: due, reason: "versions are gone from the folder")
    }
    return .putBack(vanished.versions)
  }

  /// Whether a content can be put together from the versions that are here.
  func holds(_ content: ContentHash) -> Bool {
    seen.graph.versions.contains { $0.content == content && !seen.incomplete.contains($0.id) }
  }
}

/// Conflict copies and staging files.
extension Planning {
  /// The steps for copies that have no version yet.
  ///
  /// The oldest is captured first, since a younger one may have been made from it.
  var copies: [Action] {
    var actions: [Action] = []
    var due: [Sighting.Copy] = []
    for copy in seen.copies {
      guard let content = copy.content else {
        if copy.origin == .staging { actions.append(.setAside(copy.file)) }
        continue
      }
      if holds(content) || isPersonal(copy) { continue }
      if copy.origin != .staging, let until = self.due(copy.changedAt, policy.settleTime) {
        actions.append(.wait(until: until, reason: "\(copy.file) may still change"))
      } else {
        due.append(copy)
      }
    }
    var contents: Set<ContentHash?> = []
    return actions
      + due.sorted { ($0.modifiedAt, $0.file) < ($1.modifiedAt, $1.file) }
      .filter { contents.insert($0.content).inserted }.map(capture)
  }

  /// Whether somebody here may have made a copy to try something: no other device is known, and people choose such names too.
  private func isPersonal(_ copy: Sighting.Copy) -> Bool {
    guard copy.origin == .perhapsPerson, seen.isAlone, let content = copy.content else {
      return false
    }
    return seen.graph.latest(content: content) == nil
  }

  private func capture(_ copy: Sighting.Copy) -> Action {
    if let known = copy.content.flatMap(seen.graph.latest) {
      return .store(known.id, from: copy.file)
    }
    return copy.origin == .perhapsPerson ? .captureAside(copy.file) : .captureCopy(copy.file)
  }

  /// The copies that can go, since their content is a version.
  var removals: [Action] {
    seen.copies.compactMap { isRemovable($0) ? .remove($0.file) : nil }
  }

  /// Whether a copy's content is a version, and the copy is not a person's backup.
  private func isRemovable(_ copy: Sighting.Copy) -> Bool {
    guard let content = copy.content, holds(content) else { return false }
    return switch copy.origin {
    case .staging, .service: true
    case .perhapsService: isCaptured(content)
    case .perhapsPerson: hasArrived(content)
    case .unremovable: false
    }
  }

  /// Whether a copy's content was new here when it was captured, and the device that wrote it has brought its version since.
  private func hasArrived(_ content: ContentHash) -> Bool {
    let versions = seen.graph.versions.filter { $0.content == content }
    return versions.contains(where: \.isAside)
      && versions.contains {
        !$0.isAside && $0.copyName == nil && $0.reason != .restore && $0.device != seen.device
          && !$0.isDerived
      }
  }

  /// Whom a copy waits for.
  func need(of copy: Sighting.Copy) -> CopyNeed {
    guard let content = copy.content else { return copy.origin == .staging ? .sync : .person }
    let stays = holds(content) ? !isRemovable(copy) : isPersonal(copy)
    return stays ? .nothing : .sync
  }

  /// The copies that are to become versions or to go: while there is one, nothing is up to date.
  var waitingCopies: [Sighting.Copy] { seen.copies.filter { need(of: $0) != .nothing } }

  /// The first copy that only a person can deal with, once a sync has nothing left to do.
  var copyForPerson: Sighting.Copy? {
    guard case .whole(let content, _) = seen.live, seen.vanished == nil,
      heads.map(\.version.content) == [content],
      waitingCopies.allSatisfy({ need(of: $0) == .person })
    else { return nil }
    return waitingCopies.first
  }

  /// Whether a content is in the history only because it was captured from a copy: a person's backup has been live before.
  private func isCaptured(_ content: ContentHash) -> Bool {
    seen.graph.versions.allSatisfy { version in
      version.content != content || version.copyName != nil
        || version.reason == .external && version.parents.isEmpty
    }
  }
}
