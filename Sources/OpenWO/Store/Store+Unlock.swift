import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Ending a lock: a checkpoint of what was edited.
extension Store {
  /// Ends the lock of this device, or by force that of another one.
  ///
  /// Nothing is changed when it throws `busy`, `damaged` or `brokenReferences`: the lock stands, and so does the edit.
  func unlock(_ request: UnlockRequest) throws -> UnlockReport {
    letGo()
    let board = try coordinator.board()
    let own = try CompanionFile.read(StoreLock.self, at: paths.lock(device.id), files)
    if let force = request.force, own?.id != force {
      return try revoke(force, board, dryRun: request.dryRun)
    }
    guard let own else { throw StoreError.noLock(paths, other: board.effective) }
    if request.dryRun { return try preview(own) }
    let lost = board.ended.contains { $0.lock.id == own.id }
    let report = try coordinator.alone { try checkpoint(own, discard: request.discard && !lost) }
    tellUnlocked(own)
    guard !lost else {
      try reconcile(waiting: 0, policy: policy())
      throw StoreError.lockLost(own, kept: try edit(under: own), paths)
    }
    return report
  }

  /// Ends another device's lock: its file is left alone, the revocation stands in our own.
  private func revoke(_ id: String, _ board: LockBoard, dryRun: Bool) throws -> UnlockReport {
    guard let lock = board.standing.first(where: { $0.id == id }) else {
      throw StoreError.noLock(paths, other: board.effective)
    }
    let report = UnlockReport(
      version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
    guard !dryRun else { return report }
    try coordinator.updateOwnRecord { own in
      own.revoked = own.revoked.suffix(31) + [id]
    }
    tellUnlocked(lock)
    return report
  }

  /// What ending a lock would find; changes nothing.
  private func preview(_ lock: StoreLock) throws -> UnlockReport {
    defer { letGo() }
    try coordinator.enter()
    var report = UnlockReport(
      version: nil, changes: [], schemaChanged: false, foldedWAL: false, lock: lock)
    do {
      let file = try openLiveFile()
      let start = try start(of: lock)
      guard try !isLiveContent(of: start) else { return report }
      try check(file, against: start)
      try describe(start, &report)
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // Rows that stand in a write-ahead log are not to be seen before it is folded back.
      report.foldedWAL = true
    }
    return report
  }

  /// The version that the edit began with.
  private func start(of lock: StoreLock) throws -> Version? {
    try lock.head.flatMap { try versions().graph[$0] } ?? current()
  }

  /// The version that holds what was edited under a lock, however it came to be captured.
  private func edit(under lock: StoreLock) throws -> VersionID? {
    let graph = try versions().graph
    return graph.newestFirst.first { version in
      version.device == device.id && [.edit, .external].contains(version.reason)
        && lock.head.map { $0 != version.id && !graph.isAncestor(version.id, of: $0) } ?? true
    }?.id
  }

  private func checkpoint(_ lock: StoreLock, discard: Bool) throws -> UnlockReport {
    defer { closeLive() }
    let folded = try foldWriteAheadLog()
    let file = try openLiveFile()
    try file.connection.begin(.exclusive)
    try file.connection.rollback()
    var report = UnlockReport(
      version: nil, changes: [], schemaChanged: false, foldedWAL: folded, lock: lock)
    let start = try start(of: lock)
    if try !isLiveContent(of: start) {
      if discard {
        report.discarded = try discardEdit(backTo: start)
      } else {
        try check(file, against: start)
        let version = try captureLive(reason: .edit, note: lock.note)
        report.version = version.id
        try describe(start, &report)
      }
      try publish()
    }
    try coordinator.removeLock()
    return report
  }

  private func isLiveContent(of version: Version?) throws -> Bool {
    guard let version, let live else { return false }
    if record?.signature == live.signature { return record?.content == version.content }
    return try live.connection.withReadLock {
      let digests = try LiveContent(live.connection).digests()
      liveSeen = LiveSeen(
        signature: live.signature, live: .whole(digests.root, changedAt: now), digests: digests)
      return digests.root == version.content
    }
  }

  /// Refuses an edit that left the file damaged, or rows that point at nothing where none did before.
  private func check(_ file: LiveFile, against start: Version?) throws {
    if let problem = try file.connection.integrityCheck(limit: 1).first {
      throw StoreError.damagedEdit(problem, paths)
    }
    let broken = try file.connection.foreignKeyViolations(limit: 1000)
    guard let first = broken.first else { return }
    let before = try start.map { version in
      try privateCopy(of: version.content).foreignKeyViolations(limit: 1000).count
    }
    guard broken.count > before ?? 0 else { return }
    throw StoreError.brokenReferences(first, count: broken.count, paths)
  }

  /// Keeps the edit as a version, then makes the live file what it was before.
  ///
  /// - Returns: The version that holds the edit; nil when it was no whole database.
  private func discardEdit(backTo start: Version?) throws -> VersionID? {
    guard let start else { throw StoreError.missing(paths) }
    if let problem = try live?.connection.integrityCheck(limit: 1).first {
      try replaceLive(with: start, isDamaged: true)
      events.send(.repaired(start.id, reason: problem))
      return nil
    }
    let edit = try captureLive(reason: .edit, note: "discarded")
    try putBack(start)
    return edit.id
  }

  /// What changed since the lock, for the summary.
  private func describe(_ start: Version?, _ report: inout UnlockReport) throws {
    guard let start, let live else { return }
    let before = try privateCopy(of: start.content)
    defer { before.close() }
    let difference = try OpenWOMerge.difference(from: before, to: live.connection)
    report.schemaChanged = !difference.schemaChanges.isEmpty
    report.changes = difference.changes
  }
}
