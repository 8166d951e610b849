import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Bringing the store up to date because somebody asked for it.
struct Syncing: StoreCommand {
  let store: Store

  /// Syncs now, or says what that would do.
  func run(dryRun: Bool = false) throws -> ReconcileReport {
    // The caller does not want to wait for a service that may deliver the file later.
    var policy = try rules.policy()
    policy.graceTime = 0
    try versions.refresh()
    guard !dryRun else { return try plan(policy) }
    if store.call.isFirstTry { AbandonedFiles(store: store).sweep() }
    // The caller does not want to ask twice.
    let isGone =
      try coordinator.lockInSight() == nil && versions.vanished(versions.listed(), now: now) != nil
    // After the settle time a file may be checkpointed or put back, and must settle again.
    let due = (isGone ? policy.vanishedTime : 2 * policy.settleTime).plus(1_000)
    let found = try SyncLoop(store: store).run(
      waiting: max(configuration.writePatience, due), policy: policy)
    try publishing.run()
    session.letGo()
    guard workingCopy.orphans.isEmpty else {
      throw StoreError.inDoubt("it waits in a file that lost its name", paths)
    }
    return ReconcileReport(
      actions: found.actions.map(\.step), head: try versions.listed().graph.newestHead?.id,
      outcome: OutcomeJudge(found.seen, in: store).outcome(waits: found.waits),
      quarantined: store.call.keptAside)
  }

  /// What a sync would do now.
  private func plan(_ policy: Policy) throws -> ReconcileReport {
    let seen = try session.lettingGo {
      try session.looking { try VersionDetector(store: store).look() }
    }
    let plan = Reconciler(policy: policy).plan(seen)
    let judge = OutcomeJudge(seen, in: store)
    let isPlanned = !plan.isEmpty && judge.liveObstacle == nil
    return ReconcileReport(
      actions: plan.map(\.step), head: try versions.listed().graph.newestHead?.id,
      outcome: isPlanned ? .planned : judge.outcome(waits: plan.filter { $0.dueAt != nil }))
  }
}
