import OpenWO
import OpenWOHistory

/// Bugs that can be switched on, in the planner's surroundings or in the model of the performer.
///
/// Each breaks a rule of the design; if a run finds none of them, the invariants are too weak.
package enum Fault: String, Sendable, CaseIterable {
  // In what is seen and planned.
  /// A torn file passes for a whole one.
  case adoptsTorn
  /// Locks are not looked at when planning.
  case plansUnderLock
  /// Copies are removed before they are a version.
  case removesBeforeCapture
  /// An unknown live file counts as the version that was there before.
  case overwritesUncaptured
  /// The service is waited for without end.
  case waitsForever
  /// Conflict copies are not looked at.
  case overlooksCopies
  /// An unknown live file is taken for the head.
  case takesUnknownForHead
  /// A copy with a name that people choose counts as a state.
  case takesCopiesForStates
  /// A version is written although its content has not arrived.
  case writesIncomplete
  /// A missing live file stays missing.
  case leavesMissing
  /// Heads are left as they are.
  case neverSettles
  /// Locks are never answered.
  case neverAcknowledges

  // In versions.
  /// New versions name no parents.
  case forgetsParents
  /// A content of which the ancestry table knows nothing counts as made from the current version.
  case guessesParents
  /// Every unknown file counts as written in place, whether it is the same file or another one.
  case ignoresFileIdentity
  /// The head that arrived first wins.
  case settlesByArrival
  /// Settling is stamped with the time of day.
  case settlesByClock
  /// A settlement names the winner only.
  case settlesWinnerOnly
  /// Stamps follow any other stamp, however far ahead.
  case clockUnbounded
  /// Stamps are the time of day.
  case clockAlone
  /// A found content is stamped with the time of its discovery.
  case stampsByDiscovery
  /// A write takes the place of a version that others have.
  case foldsPublished

  // In carrying out.
  /// Success is told before the version is durable.
  case acknowledgesBeforeCapture
  /// A commit counts without looking which file has the name.
  case trustsCommit
  /// The live file is not looked at before a write.
  case trustsTheName
  /// Locks are not looked at before a write.
  case writesUnderLock
  /// A new live file is renamed over the old one.
  case renamesOver
  /// The outgoing file of a swap is removed, whatever it is.
  case dropsWhatCameOut
  /// The record is made from the file that has the name after the swap.
  case notesWhatStands
  /// Staging files found later are archived as if nobody had made them.
  case archivesStagingUnjudged
  /// Versions leave the state folder before they are published.
  case dropsBeforePublishing
  /// The rows of a log are left out when a database in WAL mode becomes one file.
  case dropsTheLog
  /// Damaged files are replaced without evidence.
  case repairsWithoutEvidence

  // In locks and identities.
  /// An edit under a lock is not captured when it ends.
  case unlocksWithoutCapture
  /// Locks that were ended by force still count.
  case force
  /// A device's statements about locks are only in its device file, of which an older form may come
  /// back.
  case forgetsItsWords
  /// A lock that was given back counts again when its file comes back.
  case locksComeBack
  /// A cloned device keeps its id.
  case cloneKeepsIdentity
}

extension Fault {
  func changed(_ policy: Policy) -> Policy {
    var policy = policy
    if self == .waitsForever { policy.graceTime = 1 << 50 }
    return policy
  }

  func changed(_ seen: Sighting, _ device: Device, _ world: World) -> Sighting {
    var seen = seen
    switch self {
    case .plansUnderLock: seen.lock = nil
    case .overlooksCopies: seen.copies = []
    case .writesIncomplete: seen.incomplete = []
    case .overwritesUncaptured:
      if case .whole(let content, let changedAt) = seen.live, !isKnown(content, seen),
        let current = seen.current.flatMap({ seen.graph[$0] })
      {
        seen.live = .whole(current.content, changedAt: changedAt)
      }
    case .takesUnknownForHead:
      if case .whole(let content, let changedAt) = seen.live, !isKnown(content, seen),
        let head = seen.graph.heads.first
      {
        seen.live = .whole(head.content, changedAt: changedAt)
      }
    default: break
    }
    return seen
  }

  private func isKnown(_ content: ContentHash, _ seen: Sighting) -> Bool {
    seen.graph.versions.contains { $0.content == content }
  }

  func changed(_ plan: [Action], _ seen: Sighting, _ world: World) -> [Action] {
    switch self {
    case .removesBeforeCapture:
      plan.map { if case .captureCopy(let file) = $0 { .remove(file) } else { $0 } }
    case .leavesMissing:
      plan.filter { if case .repair = $0 { false } else { true } }
    case .neverSettles:
      plan.filter { if case .settle = $0 { false } else { true } }
    default: plan
    }
  }

  func settled(
    _ right: Version, _ parents: [Version], _ device: Device, _ world: World
  ) -> Version? {
    switch self {
    case .settlesByArrival:
      let first = parents.min { world.arrival($0, device) < world.arrival($1, device) }
      return first.flatMap {
        copy(of: right, facts: $0.facts, parents: right.parents, at: right.at)
      }
    case .settlesByClock:
      let now = HybridTime(milliseconds: world.now(device))
      return copy(of: right, facts: right.facts, parents: right.parents, at: max(now, right.at))
    case .settlesWinnerOnly:
      let winner = parents.filter { $0.content == right.content }.map(\.id)
      return copy(of: right, facts: right.facts, parents: winner, at: right.at)
    default: return nil
    }
  }

  private func copy(
    of version: Version, facts: ContentFacts, parents: [VersionID], at: HybridTime
  ) -> Version? {
    try? Version(
      facts: facts, parents: parents, device: version.device, deviceName: version.deviceName,
      at: at,
      reason: version.reason)
  }
}

extension World {
  /// When a version's file appeared on a device.
  func arrival(_ version: Version, _ device: Device) -> Int64 {
    guard let path = pathIfKnown(ofVersion: version.id) else { return 0 }
    return device.folder[path]?.changed ?? 0
  }
}
