import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Ending a lock: a checkpoint of what was edited.
extension Store {
  /// Ends the lock of this device, or by force that of another one.
  ///
  /// It ends the lock that this store took, not a later one. If it throws, lock and edit are kept.
  func unlock(_ request: UnlockRequest) throws -> UnlockReport {
    letGo()
    var request = request
    request.force = try request.force.map(lockID(beginningWith:))
    try versions.refresh()
    if request.ifHead != nil {
      try catchUp()
      guard let live = try current() ?? headToForce(request) else {
        throw StoreError.missing(paths)
      }
      try require(request.ifHead, as: live)
    }
    let board = try coordinator.board()
    let standing = try coordinator.ownLock()
    if let newer = board.newer, request.discard || standing == nil && request.force == nil {
      // It may be the older one; then a discard would write under it.
      throw StoreError.newerLock(newer, paths)
    }
    if let force = request.force, standing?.id != force {
      return try revoke(force, board, dryRun: request.dryRun)
    }
    // After a wait it is the same one, whoever has taken another one meanwhile.
    guard let own = call.ending ?? (request.force == nil ? lockNews.taken : nil) ?? standing else {
      throw coordinator.noLock(on: board)
    }
    call.ending = own
    guard try coordinator.isHeld(own) else {
      throw StoreError.lockLost(
        own, request.dryRun ? try leftover(of: own) : try giveUp(own), paths)
    }
    let report: UnlockReport?
    do {
      if request.discard { try requireNoOther(than: own) }
      if request.dryRun { return try preview(own, discard: request.discard) }
      report = try alone {
        // Another process may have ended it meanwhile.
        guard try coordinator.isHeld(own) else { return nil }
        try catchUp()
        return try checkpoint(own, discard: request.discard)
      }
    } catch {
      guard let error = StoreError.of(error, paths) as? StoreError else { throw error }
      throw error.whileLocked(paths)
    }
    guard let report else { throw StoreError.lockLost(own, try giveUp(own), paths) }
    lockNews.gaveBack(own)
    return report
  }

  /// The id of the only lock that a word is the beginning of; else the word.
  private func lockID(beginningWith word: String) throws -> String {
    let ids = try coordinator.board().standing.map(\.id)
    guard word.utf8.count >= 4, !ids.contains(word) else { return word }
    let found = ids.filter { $0.hasPrefix(word.lowercased()) }
    return found.count == 1 ? found[0] : word
  }

  /// The newest version, by which a device that has never looked into the file can end a lock of another one.
  private func headToForce(_ request: UnlockRequest) throws -> Version? {
    guard request.force != nil, try files.statusIfPresent(paths.database) != nil else { return nil }
    return try versions.listed().graph.newestHead
  }

  /// Refuses a change of the live file at the end of a lock while somebody else's holds, such as an older one that has come meanwhile.
  private func requireNoOther(than lock: StoreLock) throws {
    if let other = try coordinator.board().effective, other.id != lock.id {
      throw coordinator.isLocked(by: other)
    }
  }

  /// Gives back a lock that somebody else ended, and returns what became of the edit.
  ///
  /// The file's content counts as an edit without a lock, by its own time.
  ///
  /// - Throws: `busy` while a program has it in a transaction.
  private func giveUp(_ lock: StoreLock) throws -> StoreError.Leftover {
    // What it does cannot be done twice.
    call.beginsAgain = false
    return try inSession {
      if try coordinator.lockInSight() == nil, try files.statusIfPresent(paths.database) != nil {
        do {
          try awaitProgram()
        } catch let error as SQLiteError where error.isDamage || error.extendedCode == .walRefused {
          // The next look finds the damage and repairs it.
        }
        workingCopy.close()
      }
      var policy = try self.policy()
      policy.graceTime = 0
      let found = try reconcile(waiting: policy.settleTime + writePatience, policy: policy)
      try publish()
      try giveBack(lock)
      lockNews.gaveBack(lock)
      return try leftover(of: lock, found.taken)
    }
  }

  /// The state of the edit under a lost lock, by the steps that were taken since.
  private func leftover(
    of lock: StoreLock, _ actions: [Action] = []
  ) throws -> StoreError.Leftover {
    if let edit = try edit(under: lock) { return .kept(edit) }
    for case .repair(_, let why) in actions { return .damaged(why) }
    return try workingCopy.isAsRecorded(workingCopy.signature()) ? .none : .waiting
  }

  /// Ends another device's lock by a revocation in our own device file.
  private func revoke(_ id: String, _ board: LockBoard, dryRun: Bool) throws -> UnlockReport {
    guard let lock = board.standing.first(where: { $0.id == id }) else {
      throw coordinator.noLock(on: board)
    }
    let report = UnlockReport(
      version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
    guard !dryRun else { return report }
    try coordinator.revoke(id)
    lockNews.ended(lock)
    return report
  }

  /// Previews the end of a lock; changes nothing.
  private func preview(_ lock: StoreLock, discard: Bool) throws -> UnlockReport {
    try inSession {
      var report = UnlockReport(
        version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
      let start = try start(of: lock)
      do {
        switch try lookAtEdit(since: start) {
        case .none: break
        case .ruined(let why) where !discard: throw StoreError.damagedEdit(why, nil, paths)
        case .ruined: break
        case .whole:
          if !discard {
            try checkReferences(since: start)
            report.findings = (try? newFindings(since: start)) ?? []
          }
          try describe(start, &report)
        }
      } catch let error as SQLiteError where error.extendedCode == .walRefused {
        // Rows in a write-ahead log cannot be seen before a checkpoint.
        try requireNoOther(than: lock)
        report.foldedWAL = true
      }
      return report
    }
  }

  /// The version that the edit began with.
  func start(of lock: StoreLock) throws -> Version? {
    try lock.head.flatMap { try versions.listed().graph[$0] } ?? current()
  }

  /// The version that holds what was edited under a lock, however it came to be captured.
  private func edit(under lock: StoreLock) throws -> VersionID? {
    let graph = try versions.listed().graph
    return graph.newestFirst.first { version in
      version.device == device.id && [.edit, .external, .restore].contains(version.reason)
        && lock.head.map { $0 != version.id && !graph.isAncestor(version.id, of: $0) } ?? true
    }?.id
  }

  private func checkpoint(_ lock: StoreLock, discard: Bool) throws -> UnlockReport {
    var report = UnlockReport(
      version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
    let start = try start(of: lock)
    let edit = try lookAtEdit(since: start, under: lock, folded: &report.foldedWAL)
    // The state of a set-aside journal must come before what is captured or restored here.
    let unproven = try captureUnproven()
    report.passedOver = unproven.passedOver?.id
    switch edit {
    case .none: report.discarded = unproven.undone?.id
    case .whole where discard:
      report.discarded = try captureEdit(since: start, note: "discarded").id
      if let start { try putBack(start) }
    case .whole:
      try checkReferences(since: start)
      report.version = try captureEdit(since: start, note: lock.note).id
      report.findings = (try? newFindings(since: start)) ?? []
      try? describe(start, &report)
    case .ruined(let why):
      let before = try start ?? lastGoodVersion()
      guard discard, let before else {
        throw StoreError.damagedEdit(why, try keepEdit(because: why), paths)
      }
      try setLogAside()
      call.keptAside = []
      try replaceLive(with: before, damage: why)
      report.quarantined = call.keptAside.last
      events.send(.repaired(before.id, reason: why))
    }
    try publish()
    try giveBack(lock)
    return report
  }

  /// Keeps a damaged edit, whatever becomes of the lock.
  private func keepEdit(because why: String) throws -> QuarantinedFile? {
    workingCopy.close()
    guard try files.statusIfPresent(paths.database) != nil else { return nil }
    return try keepAside(paths.database, because: why)
  }

  /// Removes our lock file and records the end, as services sometimes restore removed files.
  func giveBack(_ lock: StoreLock) throws {
    try coordinator.removeLock(lock.id)
    try coordinator.revoke(lock.id)
  }

  /// Quarantines the log of a missing database, which a program would replay into the restored one.
  private func setLogAside() throws {
    guard try files.statusIfPresent(paths.database) == nil else { return }
    for path in try LogFiles(beside: paths, files).names(paths) {
      try state.keepEvidence(path, as: "log", "", files)
      try files.unlink(path)
    }
  }

  /// The state of the live file under a lock.
  private enum Edit {
    case none, whole
    /// It is missing, cut, or no whole database, so it cannot be a version.
    case ruined(String)
  }

  /// Looks at the live file under a lock, after a checkpoint of a write-ahead log.
  ///
  /// - Throws: `busy` while a program has it in a transaction, `locked` when it is to be folded back and an older lock has come.
  private func lookAtEdit(
    since start: Version?, under lock: StoreLock, folded: inout Bool
  ) throws -> Edit {
    do {
      if try files.statusIfPresent(paths.database) != nil {
        folded = try foldWriteAheadLog { try requireNoOther(than: lock) }
      }
    } catch let error as SQLiteError where error.isDamage {
      // The look finds the same.
    }
    return try lookAtEdit(since: start)
  }

  private func lookAtEdit(since start: Version?) throws -> Edit {
    if try files.statusIfPresent(paths.database) != nil {
      do {
        try awaitProgram()
      } catch let error as SQLiteError where error.isDamage {
        // The look finds the same.
      }
    }
    switch try VersionDetector(store: self).lookAtLive(versions.listed()) {
    case .whole(let content, _): return content == start?.content ? .none : .whole
    case .doubtful(let why, _): return .ruined(why)
    case .missing: return .ruined("it is missing")
    case .changing, .writeAheadLog, .unreadable: throw StoreError.busy(paths)
    }
  }
}

extension SQLiteError {
  /// Whether it says that the file is not a whole database.
  fileprivate var isDamage: Bool { [.corrupt, .notADatabase].contains(code) }
}
