import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The sync loop: look, plan, act, look again, until there is nothing to do but wait.
struct SyncLoop: StorePart {
  let store: Store

  /// More rounds than any folder needs; a bound against a folder that changes faster than we look.
  private static var rounds: Int { 64 }

  /// How a run of the loop ended.
  struct End {
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
  /// still arrives; the policy, the store's own if nil, says how long a service gets.
  @discardableResult
  func run(waiting: Int64 = 0, policy: Policy? = nil) throws -> End {
    var policy = try policy ?? rules.policy()
    let deadline = deadline(waiting)
    // If this look fails, the next tick repeats it: no file tells when a full disk has room again.
    (store.upkeep.nextLook, store.upkeep.outcome) = (now, nil)
    if waiting == 0 { policy.othersTime = store.upkeep.othersTime(policy.graceTime) }
    // Without the companion, versions and locks are unknown.
    try companion.check()
    if try coordinator.lockInTheWay() == nil { try store.folder.bringConflicts() }
    try session.begin()
    // If this fails, the next round tries again.
    try? coordinator.repeatOwnWords()
    try waitingCommits.captureOwn()
    var done = store.call.taken
    store.call.taken = []
    var rounds = 0
    while rounds < Self.rounds {
      // After eight failed rounds, take the writer lock, so that no other process of this device
      // interferes.
      let last =
        try rounds < 8 ? attempt(policy, &done) : store.asWriter { try step(policy, &done) }
      guard let last else {
        rounds += 1
        continue
      }
      store.upkeep.nextLook = last.waits.compactMap(\.dueAt).min()
      guard let until = store.upkeep.nextLook else {
        store.upkeep.looked(isBusy: last.seen.live == .unreadable(.busy), at: now)
        store.call.deadline = nil
        return last
      }
      let pause = min(max(until.milliseconds(since: now), 1), 50) * 1_000_000
      guard clock.monotonic() + pause <= deadline else {
        store.call.deadline = nil
        return last
      }
      if session.yieldsToWait { store.call.taken = done }
      try session.pause(nanoseconds: pause)
    }
    throw StoreError.busy(paths)
  }

  /// Runs without waiting, and ends the session, so that nobody waits for this process.
  func runAndLetGo(_ policy: Policy? = nil) throws {
    let policy = try policy ?? rules.policy()
    _ = try session.lettingGo { try run(policy: policy) }
  }

  /// Brings the live file up to date with the folder before a transaction.
  ///
  /// - Throws: Why the live file cannot be used now.
  func runBeforeUse(waiting: Int64) throws {
    let found = try run(waiting: waiting)
    try store.catchUp()
    let seen = try VersionDetector(store: store).look()
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
    default: throw seen.live.refusal(isAwaited: isAwaited, paths)
    }
  }

  /// Until when a run waits, by the monotonic clock; a call that begins again keeps its deadline.
  private func deadline(_ waiting: Int64) -> Int64 {
    let deadline = clock.monotonic().plus(.nanoseconds(milliseconds: waiting))
    guard session.yieldsToWait, waiting > 0 else { return deadline }
    let kept = store.call.deadline ?? deadline
    store.call.deadline = kept
    return kept
  }

  /// Takes one step.
  ///
  /// Another process of this device may replace a version by its next one meanwhile; then look
  /// again.
  private func attempt(_ policy: Policy, _ done: inout [Action]) throws -> End? {
    do {
      return try step(policy, &done)
    } catch HistoryError.missing {
      return nil
    }
  }

  /// Looks once and takes the steps that are due; nil to look again.
  private func step(_ policy: Policy, _ done: inout [Action]) throws -> End? {
    defer { workingCopy.endLook() }
    do {
      try store.catchUp()
      try ManifestKeeper(store: store).follow()
      let all = try VersionDetector(store: store).look()
      let (seen, plan) = plan(policy, all)
      if try !UnprovenStates(store: store).capture().isEmpty { return nil }
      try workingCopy.refreshBaseline()
      let before = done.count
      let waits = try act(plan, &done)
      guard done.count == before else { return nil }
      if seen.lock == nil, case .whole = seen.live {
        workingCopy.sweepLog(
          isAlone: seen.isAlone, olderThan: AbandonedFiles(store: store).latest)
      }
      try JoinNews(store: store).tell()
      store.upkeep.outcome = OutcomeJudge(all, in: store).outcome(waits: waits)
      return End(taken: done, waits: waits, seen: seen)
    } catch is StaleLook {
      // Our open handle may show the file before another process of this device wrote into it.
      try waitingCommits.captureOwn()
      try workingCopy.closeIfTouched()
      return nil
    }
  }

  /// The plan for what was seen, and the part of it that the plan is for.
  private func plan(_ policy: Policy, _ all: Sighting) -> (seen: Sighting, plan: [Action]) {
    let reconciler = Reconciler(policy: policy)
    guard store.call.keepsSidesApart else { return (all, reconciler.plan(all)) }
    var seen = all
    // A merge captures the copy that it is asked for; nothing else waits for a copy.
    seen.copies = seen.copies.filter { $0.content.map(seen.graph.contains(content:)) ?? true }
    return (seen, reconciler.plan(seen).filter { !$0.bringsSidesTogether })
  }

  /// Takes the steps of a plan that are due and notes them in `done`; returns those that wait.
  private func act(_ plan: [Action], _ done: inout [Action]) throws -> [Action] {
    var waits = plan.filter { $0.dueAt != nil }
    for action in plan where action.dueAt == nil {
      let taken: Action
      do {
        taken = try Performer(store: store).perform(action)
      } catch let wait as NotYet {
        store.call.taken = done
        throw wait
      }
      if taken.dueAt == nil { done.append(taken) } else { waits.append(taken) }
    }
    return waits
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
