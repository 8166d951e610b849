import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Ends a lock, as `UnlockDecision` and `EditDecision` say; a dry run stops before the first change.
struct Unlocking: StoreCommand {
  let store: Store
  let request: UnlockRequest

  /// Ends the lock of this device, or by force that of another one.
  ///
  /// It ends the lock that this store took, not a later one. If it throws, lock and edit are kept.
  func run() throws -> UnlockReport {
    session.letGo()
    try versions.refresh()
    try requireHead()
    while true {
      switch try decide() {
      case .refuse(let why): throw error(why)
      case .revoke(let lock): return try revoke(lock)
      case .giveUp(let lock):
        let left = try request.dryRun ? leftover(of: lock) : giveUp(lock)
        throw StoreError.lockLost(lock, left, paths)
      case .end(let lock):
        store.call.ending = lock
        if let report = try keeping({ try request.dryRun ? preview(lock) : end(lock) }) {
          return report
        }
      }
    }
  }

  /// Refuses unless the version is live that the caller has decided on.
  private func requireHead() throws {
    guard request.ifHead != nil else { return }
    try store.catchUp()
    guard let live = try workingCopy.currentVersion() ?? headToForce() else {
      throw StoreError.missing(paths)
    }
    try live.require(request.ifHead, paths)
  }

  /// The newest version, by which a device that has never looked into the file can end a lock of another one.
  private func headToForce() throws -> Version? {
    guard request.force != nil, try files.statusIfPresent(paths.database) != nil else {
      return nil
    }
    return try versions.listed().graph.newestHead
  }

  private func decide() throws -> UnlockDecision {
    let board = try coordinator.board()
    return UnlockDecision(
      UnlockFacts(
        request: request, board: board, own: try coordinator.ownLock(),
        taken: store.lockNews.taken, begun: store.call.ending))
  }

  /// Looks at the edit and decides what becomes of it.
  private func decide(_ edit: LockedEdit) throws -> EditDecision {
    var facts = EditFacts(state: try edit.state(), isDiscarded: request.discard)
    switch facts.state {
    case .unchanged: break
    case .logged: facts.other = try coordinator.board().other(than: edit.lock)
    case .whole: if !request.discard { facts.broken = try edit.brokenReferences() }
    case .damaged: facts.before = try edit.start ?? versions.lastGood(live: workingCopy.current)
    }
    return EditDecision(facts)
  }

  /// Says in an error that the lock and the edit are kept.
  private func keeping<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      guard let error = StoreError.of(error, paths) as? StoreError else { throw error }
      throw error.whileLocked(paths)
    }
  }

  private func error(_ why: UnlockDecision.Refusal) -> StoreError {
    switch why {
    case .newerLock(let file): .newerLock(file, paths)
    case .noLock(let other): coordinator.noLock(but: other)
    case .locked(let lock): coordinator.isLocked(by: lock).whileLocked(paths)
    }
  }

  private func error(_ why: EditDecision.Refusal) throws -> StoreError {
    switch why {
    case .locked(let lock): coordinator.isLocked(by: lock)
    case .damaged(let why): .damagedEdit(why, try request.dryRun ? nil : keepEdit(why), paths)
    case .brokenReferences(let broken): .brokenReferences(broken.first, count: broken.count, paths)
    }
  }
}

/// The end of a lock that holds.
extension Unlocking {
  /// Previews the end of a lock; changes nothing.
  private func preview(_ lock: StoreLock) throws -> UnlockReport {
    try session.run {
      let edit = try LockedEdit(lock, in: store)
      var report = UnlockReport(lock)
      let decision = try decide(edit)
      switch decision {
      case .refuse(let why): throw try error(why)
      case .keepNothing, .repair: break
      case .checkpoint: report.foldedWAL = true
      case .capture, .discard:
        if decision == .capture { report.findings = (try? edit.newFindings()) ?? [] }
        try edit.describe(&report)
      }
      return report
    }
  }

  /// Ends a lock with what was edited; nil if another process has ended it meanwhile.
  private func end(_ lock: StoreLock) throws -> UnlockReport? {
    let report: UnlockReport? = try session.alone {
      guard case .end = try decide() else { return nil }
      try store.catchUp()
      var report = UnlockReport(lock)
      let edit = try LockedEdit(lock, in: store)
      var decision = try decide(edit)
      if decision == .checkpoint {
        report.foldedWAL = try checkpoint()
        decision = try decide(edit)
      }
      try carryOut(decision, on: edit, &report)
      try publishing.run()
      try coordinator.giveBack(lock)
      return report
    }
    if report != nil { store.lockNews.gaveBack(lock) }
    return report
  }

  /// Makes the database a single file again, and returns whether it was in WAL mode.
  private func checkpoint() throws -> Bool {
    do {
      return try LoggedDatabase(store: store).foldLog()
    } catch let error as SQLiteError where error.isDamage {
      // The look finds the same.
      return false
    }
  }

  private func carryOut(
    _ decision: EditDecision, on edit: LockedEdit, _ report: inout UnlockReport
  ) throws {
    if case .refuse(let why) = decision { throw try error(why) }
    // The state of a set-aside journal must come before what is captured or restored here.
    let unproven = try UnprovenStates(store: store).capture()
    report.passedOver = unproven.passedOver?.id
    switch decision {
    case .keepNothing: report.discarded = unproven.undone?.id
    case .discard:
      report.discarded = try LiveCapture(store: store).captureEdit(
        since: edit.start, note: "discarded"
      ).id
      if let start = edit.start { _ = try CheckOut(store: store).putBack(start) }
    case .capture:
      report.version = try LiveCapture(store: store).captureEdit(
        since: edit.start, note: edit.lock.note
      ).id
      report.findings = (try? edit.newFindings()) ?? []
      try? edit.describe(&report)
    case .repair(let before, let why):
      try setLogAside()
      store.call.keptAside = []
      try CheckOut(store: store).replaceLive(with: before, damage: why)
      report.quarantined = store.call.keptAside.last
      store.events.send(.repaired(before.id, reason: why))
    // A program has switched to WAL mode again.
    case .checkpoint, .refuse: throw StoreError.busy(paths)
    }
  }

  /// Keeps a damaged edit, whatever becomes of the lock.
  private func keepEdit(_ why: String) throws -> QuarantinedFile? {
    workingCopy.close()
    guard try files.statusIfPresent(paths.database) != nil else { return nil }
    return try KeepingAside(store: store).keep(paths.database, because: why)
  }

  /// Quarantines the log of a missing database, which a program would replay into the restored one.
  private func setLogAside() throws {
    guard try files.statusIfPresent(paths.database) == nil else { return }
    for path in try LogFiles(beside: paths, files).names(paths) {
      try store.state.keepEvidence(path, as: "log", "", files)
      try files.unlink(path)
    }
  }
}

/// The end of a lock that somebody else ended, or that is somebody else's.
extension Unlocking {
  /// Gives back a lock that somebody else ended, and returns what became of the edit.
  ///
  /// The file's content counts as an edit without a lock, by its own time.
  ///
  /// - Throws: `busy` while a program has it in a transaction.
  private func giveUp(_ lock: StoreLock) throws -> StoreError.Leftover {
    // What it does cannot be done twice.
    store.call.beginsAgain = false
    return try session.run {
      if try coordinator.lockInSight() == nil, try LockedEdit(lock, in: store).isThere() {
        do {
          try session.awaitProgram()
        } catch let error as SQLiteError where error.isDamage || error.extendedCode == .walRefused {
          // The next look finds the damage and repairs it.
        }
        workingCopy.close()
      }
      var policy = try rules.policy()
      policy.graceTime = 0
      let found = try SyncLoop(store: store).run(
        waiting: policy.settleTime + configuration.writePatience, policy: policy)
      try publishing.run()
      try coordinator.giveBack(lock)
      store.lockNews.gaveBack(lock)
      return try leftover(of: lock, after: found.taken)
    }
  }

  private func leftover(
    of lock: StoreLock, after steps: [Action] = []
  ) throws -> StoreError.Leftover {
    return try StoreError.Leftover(
      edit: LockedEdit(lock, in: store).version(), after: steps,
      isAsRecorded: workingCopy.isAsRecorded(workingCopy.signature()))
  }

  /// Ends another device's lock by a revocation in our own device file.
  private func revoke(_ lock: StoreLock) throws -> UnlockReport {
    guard !request.dryRun else { return UnlockReport(lock) }
    try coordinator.revoke(lock.id)
    store.lockNews.ended(lock)
    return UnlockReport(lock)
  }
}

extension UnlockReport {
  fileprivate init(_ lock: StoreLock) {
    self.init(version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
  }
}
