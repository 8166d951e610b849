import OpenWOHistory

/// Decides what is to be done about a folder: a pure function of what was seen, the policy and the clock.
///
/// Nothing here reads or writes anything. The performer carries a plan out, the detector looks again, and the next plan is made, until it is
/// empty or only waits. Every plan keeps DESIGN §4: what is unknown is captured before anything is written over it.
package struct Reconciler: Sendable {
  package var policy: Policy

  /// Plans by a policy.
  package init(policy: Policy) {
    self.policy = policy
  }

  /// The steps to take now, in order; empty when all is as it should be.
  ///
  /// A step that changes the graph is the last one: the next look decides with what came of it.
  package func plan(_ seen: Sighting) -> [Action] {
    var actions: [Action] = seen.hasPending ? [.publish] : []
    let planning = Planning(seen: seen, policy: policy)
    if let lock = seen.lock {
      guard !lock.isOurs else { return actions }
      let capture = planning.writtenUnderLock
      // What was written before goes out before this device says that it has let go.
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
  /// Whether the graph after this step is the one before it, so that the plan may go on.
  var leavesGraphAlone: Bool {
    switch self {
    case .fold, .captureLive, .captureCopy, .captureAside, .store, .settle, .merge, .putBack, .join:
      false
    default: true
    }
  }
}
