import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Opening, idling and closing.
extension Store {
  /// How long the live file stays open without use, in nanoseconds; a waiting `lock` gets it at the latest then.
  private static var idleTime: Int64 { 500_000_000 }

  /// Brings the store to rest after opening, and the schema to what the app knows.
  func prepare() throws {
    loadRecord()
    guard !configuration.opensAsItStands else { return }
    sweepAbandoned()
    try sweepEndedLocks()
    guard let migrations = configuration.migrations else {
      // A lock, a missing or a damaged file is met by the first read or write, which says so; and so is a version on a bad sector.
      do {
        try reconcile(waiting: 0, policy: policy())
      } catch let error as FileError where isOfUnreadVersion(error) {}
      return
    }
    do {
      let live = try enter(waiting: writePatience)
      guard try !migrations.pending(in: live.connection).isEmpty else { return }
      try migrate(migrations)
    } catch let error as StoreError where error.code == .locked {
      // The edit under the lock comes first; the next open migrates what it leaves.
    }
  }

  /// Takes the missing steps, each as a write of its own.
  private func migrate(_ migrations: Migrations) throws {
    for _ in 0..<Self.attempts {
      do {
        return try asWriter {
          for step in try migrations.pending(in: enter(waiting: writePatience).connection) {
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

  /// What the background thread does now and then: lets go, tells, publishes, imports.
  ///
  /// Answers in how many milliseconds it wants to be called again at the latest; nil: when the folder changes.
  func tick(folderChanged: Bool) throws -> Int? {
    try sweepEndedLocks()
    if let lock = try lockToMakeWayFor() {
      try makeWay()
      let isNew = lockSeen?.id != lock.id
      tell(lock)
      // Also once more where the first try failed: the other device may wait for the answer.
      let isAnswered = try lock.device == device.id || coordinator.hasAcknowledged(lock)
      if isNew || !isAnswered || folderChanged || isLookDue {
        try reconcile(waiting: 0, policy: policy())
        letGo()
      }
      return 200
    }
    // What came under a lock is met when it ends, which may be without any file that changes.
    let wasLocked = lockSeen != nil
    if let lockSeen { tellUnlocked(lockSeen) }
    if try isPublishDue(versions()) { try publish() }
    try touchIfDue()
    if try wasLocked || folderChanged && !hasOnlyOwnChanges() || isLookDue {
      try refreshVersions()
      try reconcile(waiting: 0, policy: policy())
    }
    if live != nil && clock.monotonic() - lastUse > Self.idleTime {
      try captureUncaptured()
      letGo()
    }
    if live != nil || unpublishedSince != nil || uncaptured != nil || needsTouch { return 200 }
    return nextLook.map { Int(min(max(20, $0.milliseconds(since: now)), 3_600_000)) }
  }

  private var isLookDue: Bool { nextLook.map { $0 <= now } ?? false }

  /// The lock in sight.
  ///
  /// - Throws: `newerFormat` for one that only a newer openwo can read; this process has let go of the file then.
  func lockToMakeWayFor() throws -> StoreLock? {
    do {
      return try coordinator.lockInSight()
    } catch let error as StoreError where error.code == .newerFormat {
      try? makeWay()
      throw error
    }
  }

  /// Lets go of the file for a lock; what was committed before it came is captured first.
  ///
  /// What is still open was open before: its holder waits until it is closed.
  func makeWay() throws {
    defer { letGo() }
    if live != nil { try captureUncaptured() }
  }

  /// Captures and publishes all that waits, and lets go of the file.
  func flush() throws {
    defer { letGo() }
    guard !configuration.opensAsItStands else { return }
    if try coordinator.lockInSight() == nil {
      try captureUncaptured()
      try touchNow()
    }
    // What another process has just captured is its own affair.
    if try unpublishedSince != nil || isPublishDue(versions()) { try publish() }
  }
}
