import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Opening, idling and closing.
extension Store {
  /// How long the live file stays open without use, in nanoseconds; a waiting `lock` gets it then
  /// at the latest.
  private static var idleTime: Int64 { 500_000_000 }

  /// Reconciles after opening, and migrates the schema.
  func prepare() throws {
    workingCopy.loadBaseline()
    guard !configuration.opensAsFound else { return }
    sweepAbandoned()
    try sweepEndedLocks()
    guard let migrations = configuration.migrations else {
      // The first read or write reports a lock, a missing or damaged file, or a version on a bad
      // sector.
      do {
        try reconcile(waiting: 0, policy: Rules(store: self).policy())
      } catch let error as FileError where versions.isOfUnreadVersion(error) {}
      return
    }
    do {
      let live = try session.enter(waiting: configuration.writePatience)
      guard try !migrations.pending(in: live.connection).isEmpty else { return }
      try migrate(migrations)
    } catch let error as StoreError where error.code == .locked {
      // The edit under the lock comes first; the next open migrates what it leaves.
    }
  }

  /// Runs the missing steps, each as its own write.
  private func migrate(_ migrations: Migrations) throws {
    for _ in 0..<Self.attempts {
      do {
        return try asWriter {
          for step in try migrations.pending(
            in: session.enter(waiting: configuration.writePatience).connection)
          {
            try take(step)
          }
        }
      } catch let error as StoreError where error.code == .setAside {
        // Another file has taken the name and won: it is brought to the schema as well.
      }
    }
    throw StoreError.busy(paths)
  }

  private func take(_ step: Migrations.Step) throws {
    let transaction = try beginTransaction(enforcingKeys: false)
    let connection = transaction.connection
    defer { try? connection.enforceForeignKeys(true) }
    do {
      guard try connection.lendingTransaction({ try step.take(in: connection) }) else {
        return try connection.rollback()
      }
    } catch {
      try? connection.rollback()
      throw error is TransactionEnded ? StoreError.endedInside(paths) : error
    }
    try commit(transaction, reason: .migrate)
  }

  /// Background maintenance: yields to locks, sends events, publishes pending versions, imports
  /// arrivals.
  ///
  /// Returns the delay in milliseconds until the next call at the latest; nil to wait for a change
  /// of the folder.
  func tick(folderChanged: Bool) throws -> Int? {
    try sweepEndedLocks()
    if let lock = try session.lockToMakeWayFor() {
      try session.makeWay()
      let isNew = lockNews.seen?.id != lock.id
      // A look that has to wait, or fails, is tried again though the lock is not new any more.
      if isNew { upkeep.nextLook = now }
      lockNews.came(lock)
      // Try again if the first try failed, as the other device may wait for the answer.
      let isAnswered = try lock.device == device.id || coordinator.hasAcknowledged(lock)
      if !isAnswered || folderChanged || upkeep.isLookDue(at: now) {
        try reconcileAndLetGo(Rules(store: self).policy())
      }
      // Nothing may tell of a lock that runs out or whose process ends.
      return isAnswered ? 1_000 : 200
    }
    // Arrivals under a lock are handled when it ends, which may happen without a change of any
    // file.
    if let lock = lockNews.seen {
      upkeep.nextLook = now
      lockNews.ended(lock)
    }
    if try isPublishDue(versions.listed()) { try publish() }
    try touchIfDue()
    if try folderChanged && !waitingCommits.areOnlyChange() || upkeep.isLookDue(at: now) {
      try versions.refresh()
      try reconcile(waiting: 0, policy: Rules(store: self).policy())
    }
    if workingCopy.readers.isAny { upkeep.lastUse = clock.monotonic() }
    if isInUse && clock.monotonic() - upkeep.lastUse > Self.idleTime {
      try waitingCommits.capture()
      session.letGo()
    }
    // Another process may have published what this one captured.
    if try versions.listed().pending.isEmpty { upkeep.publishedAll() }
    if isInUse || upkeep.unpublishedSince != nil || upkeep.needsTouch { return 200 }
    return upkeep.nextLook.map { Int(min(max(20, $0.milliseconds(since: now)), 3_600_000)) }
  }

  /// Whether the live file is open, or this process keeps others waiting for it.
  private var isInUse: Bool { workingCopy.isInUse || !coordinator.session.isEmpty }

  /// Captures pending commits, publishes pending versions, and closes the file.
  func flush() throws {
    try session.lettingGo {
      guard !configuration.opensAsFound else { return }
      // Also for a lock that came while the file was open: its holder waits until that is closed.
      let isCaptured = try waitingCommits.capture()
      let look = Result {
        guard try coordinator.lockInSight() == nil else { return }
        if !isCaptured { try reconcile(waiting: 0, policy: Rules(store: self).policy()) }
        try touchNow()
      }
      // A version that another process has just captured is left to that process.
      if try upkeep.unpublishedSince != nil || isPublishDue(versions.listed()) { try publish() }
      try look.get()
    }
  }
}
