import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The sync loop: look, plan, act, look again, until there is nothing to do but wait.
extension Store {
  /// The result of a reconciliation.
  struct Reconciliation {
    /// The steps that were taken.
    var taken: [Action]
    /// The steps that wait.
    var waits: [Action]
    /// What the last look saw, when nothing was due any more.
    var seen: Sighting

    /// The steps that were taken and those that wait.
    var actions: [Action] { taken + waits }
  }

  /// Looks, plans and acts until nothing is left to do but wait.
  ///
  /// It waits up to that many milliseconds for steps that are not due yet, such as for a file that
  /// still arrives; the policy says how long a service gets.
  @discardableResult
  func reconcile(waiting: Int64, policy: Policy) throws -> Reconciliation {
    let deadline = deadline(waiting)
    // If this look fails, the next tick repeats it: no file tells when a full disk has room again.
    (upkeep.nextLook, upkeep.outcome) = (now, nil)
    var policy = policy
    if waiting == 0 { policy.othersTime = upkeep.othersTime(policy.graceTime) }
    // Without the companion, versions and locks are unknown.
    try companion.check()
    if try coordinator.lockInTheWay() == nil { try folder.bringConflicts() }
    try session.begin()
    // If this fails, the next round tries again.
    try? coordinator.repeatOwnWords()
    try waitingCommits.captureOwn()
    var done = call.taken
    call.taken = []
    var rounds = 0
    while rounds < Self.rounds {
      // After eight failed rounds, take the writer lock, so that no other process of this device
      // interferes.
      let last = try rounds < 8 ? attempt(policy, &done) : asWriter { try step(policy, &done) }
      guard let last else {
        rounds += 1
        continue
      }
      upkeep.nextLook = last.waits.compactMap(\.dueAt).min()
      guard let until = upkeep.nextLook else {
        upkeep.looked(isBusy: last.seen.live == .unreadable(.busy), at: now)
        call.deadline = nil
        return last
      }
      let pause = min(max(until.milliseconds(since: now), 1), 50) * 1_000_000
      guard clock.monotonic() + pause <= deadline else {
        call.deadline = nil
        return last
      }
      if session.yieldsToWait { call.taken = done }
      try session.pause(nanoseconds: pause)
    }
    throw StoreError.busy(paths)
  }

  /// More rounds than any folder needs; a bound against a folder that changes faster than we look.
  private static var rounds: Int { 64 }

  /// Reconciles without waiting, and ends the session, so that nobody waits for this process.
  func reconcileAndLetGo(_ policy: Policy) throws {
    _ = try session.lettingGo { try reconcile(waiting: 0, policy: policy) }
  }

  /// Until when a reconciliation waits, by the monotonic clock; a call that begins again keeps its deadline.
  private func deadline(_ waiting: Int64) -> Int64 {
    let deadline = clock.monotonic().plus(.nanoseconds(milliseconds: waiting))
    guard session.yieldsToWait, waiting > 0 else { return deadline }
    let kept = call.deadline ?? deadline
    call.deadline = kept
    return kept
  }

  /// Takes one step.
  ///
  /// Another process of this device may replace a version by its next one meanwhile; then look
  /// again.
  private func attempt(_ policy: Policy, _ done: inout [Action]) throws -> Reconciliation? {
    do {
      return try step(policy, &done)
    } catch HistoryError.missing {
      return nil
    }
  }

  /// Looks once and takes the steps that are due; nil to look again.
  private func step(_ policy: Policy, _ done: inout [Action]) throws -> Reconciliation? {
    defer { workingCopy.endLook() }
    do {
      try catchUp()
      try ManifestKeeper(store: self).follow()
      let all = try VersionDetector(store: self).look()
      var seen = all
      if call.keepsSidesApart {
        // A merge captures the copy that it is asked for; nothing else waits for a copy.
        seen.copies = seen.copies.filter { $0.content.map(seen.graph.contains(content:)) ?? true }
      }
      let plan = Reconciler(policy: policy).plan(seen)
        .filter { !call.keepsSidesApart || !$0.bringsSidesTogether }
      if try !UnprovenStates(store: self).capture().isEmpty { return nil }
      try workingCopy.refreshBaseline()
      let before = done.count
      var waits = plan.filter { $0.dueAt != nil }
      for action in plan where action.dueAt == nil {
        let taken: Action
        do {
          taken = try Performer(store: self).perform(action)
        } catch let wait as NotYet {
          call.taken = done
          throw wait
        }
        if taken.dueAt == nil { done.append(taken) } else { waits.append(taken) }
      }
      guard done.count == before else { return nil }
      if seen.lock == nil, case .whole = seen.live {
        workingCopy.sweepLog(isAlone: seen.isAlone, olderThan: AbandonedFiles(store: self).latest)
      }
      try JoinNews(store: self).tell()
      upkeep.outcome = OutcomeJudge(all, in: self).outcome(waits: waits)
      return Reconciliation(taken: done, waits: waits, seen: seen)
    } catch is StaleLook {
      // Our open handle may show the file before another process of this device wrote into it.
      try waitingCommits.captureOwn()
      try workingCopy.closeIfTouched()
      return nil
    }
  }

  /// Reconciles now, or says what that would do.
  func reconcileReport(dryRun: Bool) throws -> ReconcileReport {
    // The caller does not want to wait for a service that may deliver the file later.
    var policy = try rules.policy()
    policy.graceTime = 0
    try versions.refresh()
    guard !dryRun else { return try plannedReport(policy) }
    if call.isFirstTry { AbandonedFiles(store: self).sweep() }
    // The caller does not want to ask twice.
    let isGone =
      try coordinator.lockInSight() == nil && versions.vanished(versions.listed(), now: now) != nil
    // After the settle time a file may be checkpointed or put back, and must settle again.
    let due = (isGone ? policy.vanishedTime : 2 * policy.settleTime).plus(1_000)
    let patience = max(configuration.writePatience, due)
    let found = try reconcile(waiting: patience, policy: policy)
    try publishing.run()
    session.letGo()
    guard workingCopy.orphans.isEmpty else {
      throw StoreError.inDoubt("it waits in a file that lost its name", paths)
    }
    return ReconcileReport(
      actions: found.actions.map(\.step), head: try versions.listed().graph.newestHead?.id,
      outcome: OutcomeJudge(found.seen, in: self).outcome(waits: found.waits),
      quarantined: call.keptAside)
  }

  /// What a reconciliation would do now.
  private func plannedReport(_ policy: Policy) throws -> ReconcileReport {
    let seen = try session.lettingGo {
      try session.looking { try VersionDetector(store: self).look() }
    }
    let plan = Reconciler(policy: policy).plan(seen)
    let judge = OutcomeJudge(seen, in: self)
    let isPlanned = !plan.isEmpty && judge.liveObstacle == nil
    return ReconcileReport(
      actions: plan.map(\.step), head: try versions.listed().graph.newestHead?.id,
      outcome: isPlanned ? .planned : judge.outcome(waits: plan.filter { $0.dueAt != nil }))
  }

  /// Brings the live file up to date with the folder before a transaction.
  ///
  /// - Throws: Why the live file cannot be used now.
  func reconcileBeforeUse(waiting: Int64) throws {
    let found = try reconcile(waiting: waiting, policy: rules.policy())
    try catchUp()
    let seen = try VersionDetector(store: self).look()
    workingCopy.endLook()
    if let lock = seen.lock { throw coordinator.isLocked(by: lock.lock) }
    let isAwaited = !found.waits.isEmpty
    switch seen.live {
    case .whole(let content, _) where content == workingCopy.content: return
    // Another process has written since; the caller looks again.
    case .whole where !isAwaited: return
    // Replaced or written while it was looked at: the caller looks again.
    case .changing: return
    case .missing where try files.statusIfPresent(paths.database) != nil: return
    default: throw refusal(of: seen.live, isAwaited: isAwaited)
    }
  }

  /// The error why the seen live file cannot be used now; `isAwaited` says that a service may still
  /// deliver it.
  func refusal(of live: Sighting.Live, isAwaited: Bool) -> StoreError {
    switch live {
    case .missing: .missing(paths)
    case .whole where isAwaited, .doubtful where isAwaited, .writeAheadLog where isAwaited:
      .stillArriving(paths)
    case .doubtful(let why, _): .damaged(why, paths)
    case .writeAheadLog: .openInWAL(paths)
    case .unreadable(.unusable(let why)): .unusable(why, paths)
    case .whole, .unreadable, .changing: .busy(paths)
    }
  }
}

extension Action {
  /// Whether it resolves sides of a conflict, which an explicit merge does itself.
  fileprivate var bringsSidesTogether: Bool {
    switch self {
    case .remove, .settle, .merge, .join, .removeStray: true
    default: false
    }
  }
}
