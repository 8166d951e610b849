import OpenWOHistory

/// Decides the next steps for a folder: a pure function of the folder's state, the policy and the
/// clock.
///
/// It reads and writes nothing. The performer carries out a plan, the detector looks again, and the
/// next plan is made, until it is empty or only waits. Every plan captures unknown content before
/// it replaces it.
package struct Reconciler: Sendable {
  package var policy: Policy

  /// Plans by a policy.
  package init(policy: Policy) {
    self.policy = policy
  }

  /// The steps to take now, in order; empty if there is nothing to do.
  ///
  /// A step that changes the graph is the last one: the next look decides with its result.
  package func plan(_ seen: Sighting) -> [Action] {
    var actions: [Action] = seen.hasPending ? [.publish] : []
    let planning = Planning(seen: seen, policy: policy)
    if let lock = seen.lock {
      guard !lock.isOurs else { return actions }
      let capture = planning.writtenUnderLock
      // Publish earlier writes before acknowledging the lock.
      if capture.allSatisfy(\.leavesGraphAlone), !lock.isAcknowledged {
        actions.append(.acknowledge(lock: lock.lock.id))
      }
      return actions + capture
    }
    if let vanished = seen.vanished { return actions + planning.putBack(vanished) }
    actions += planning.copies
    guard actions.allSatisfy(\.leavesGraphAlone) else { return actions }
    let live = planning.live
    actions += live.actions
    if seen.hasUnreadCopies {
      actions.append(
        .wait(until: seen.now.advanced(bySeconds: 1), reason: "a copy cannot be read just now"))
    }
    guard live.mayGoOn else { return actions + planning.beginning }
    return actions + planning.bringTogether(live) + planning.beginning
  }
}

extension Action {
  /// Whether this step leaves the graph as it is, so that the plan may continue.
  var leavesGraphAlone: Bool {
    switch self {
    case .fold, .captureLive, .captureCopy, .captureAside, .store, .settle, .merge, .putBack, .join:
      false
    default: true
    }
  }
}
