import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// A write: enter, begin, commit, verify, capture, and rescue the commit if another file took the
/// name.
///
/// `StoreCore` runs an app's closure between the beginning and the commit.
struct WritePath: StorePart {
  let store: Store

  private static let overwritten = "another program wrote over it meanwhile"

  /// Opens the live file for a write and begins the transaction; to be ended by `end`.
  func begin() throws -> Transaction {
    store.upkeep.lastUse = clock.monotonic()
    _ = try session.enter(waiting: configuration.writePatience)
    try session.awaitReaders(of: paths.database)
    try session.awaiting(.writer, upTo: configuration.busyTimeout) {
      try coordinator.beginWriting(waitingUpTo: $0)
    }
    do {
      return try beginTransaction()
    } catch {
      coordinator.endWriting()
      throw session.laterIfBusy(error)
    }
  }

  /// Begins a transaction as the one writer of this device.
  func beginTransaction(enforcingKeys: Bool = true) throws -> Transaction {
    for _ in 0..<Store.attempts {
      // Somebody may have written while we waited for our turn.
      let live = try session.enter(waiting: configuration.writePatience)
      if !enforcingKeys { try live.connection.enforceForeignKeys(false) }
      if let transaction = try begin(live) { return transaction }
    }
    throw StoreError.busy(paths)
  }

  /// Begins the transaction; nil if the file was changed under its beginning.
  private func begin(_ live: LiveFile) throws -> Transaction? {
    do {
      try session.awaitReaders(of: paths.database)
      try versions.refresh()
      try workingCopy.prepareMark()
      try beginImmediately(live.connection)
      let header = try live.connection.watchWrites()
      guard try live.isUntouched() else {
        try live.connection.rollback()
        return nil
      }
      _ = try live.connection.takeChangedPages()
      return Transaction(connection: live.connection, header: header)
    } catch {
      try? live.connection.rollback()
      throw error
    }
  }

  /// Begins as the only writer; a call that begins again waits without holding the store.
  private func beginImmediately(_ connection: Connection) throws {
    guard store.call.beginsAgain else { return try connection.begin(.immediate) }
    try connection.setBusyTimeout(.zero)
    defer { try? connection.setBusyTimeout(configuration.busyTimeout) }
    try connection.begin(.immediate)
  }

  /// Lets the next process write.
  func end() {
    store.upkeep.lastUse = clock.monotonic()
    coordinator.endWriting()
  }

  /// Commits, makes sure that the commit is in the file that has the name, and captures it.
  ///
  /// - Throws: `setAside` if another file took the name and won; the write is then a version.
  ///   `inDoubt` if the commit is in the file and cannot be captured now; the next look captures
  ///   it.
  func commit(
    _ transaction: Transaction, reason: VersionReason, note: String? = nil
  ) throws {
    guard let live = workingCopy.file else { throw StoreError.inDoubt("it is closed", paths) }
    guard live.connection.isWriting else { return try live.connection.commit() }
    // Hold a read lock until the capture, so that no other program commits on top.
    let hold = try commit(transaction, live)
    defer { hold.finish() }
    // The transaction may have changed no page, for example by a DELETE that matched no row.
    guard live.connection.hasChangedPages else { return }
    do {
      try verify(live)
      try capture(live, reason, note)
    } catch is StaleLook {
      try rescue(reason)
    } catch is LiveFileOverwritten {
      // It is unknown how much of the write is left, so look at the file before it is used again.
      try? workingCopy.noteOverwritten(live)
      workingCopy.abandon()
      throw StoreError.inDoubt(Self.overwritten, paths)
    } catch {
      workingCopy.noteCommit(.all)
      throw StoreError.notCaptured(StoreError.of(error, paths), paths)
    }
  }

  /// Commits; returns the read lock that is held since.
  private func commit(_ transaction: Transaction, _ live: LiveFile) throws -> Statement {
    var hold: Statement
    do {
      hold = try live.connection.holdingReadLock()
    } catch {
      try? live.connection.rollback()
      throw error
    }
    do {
      do {
        try workingCopy.markJournal(of: transaction)
        try live.connection.commit()
      } catch let error as SQLiteError {
        try workingCopy.refuseIfWithheld(live)
        // SQLite checks for a hot journal only if nobody holds a read lock, so release ours first.
        hold.finish()
        hold = try transaction.resolve(error, paths)
      }
      try workingCopy.refuseIfWithheld(live)
      return hold
    } catch {
      hold.finish()
      throw error
    }
  }

  /// Makes sure that the commit, and nothing else, is in the file that has the name.
  private func verify(_ live: LiveFile) throws {
    // Acknowledge before verifying: the signature shows a write that comes after that.
    try live.acknowledge()
    if workingCopy.looksAsRecorded { store.upkeep.needsTouch = true }
    workingCopy.noteCommit(try live.connection.takeChangedPages())
    try workingCopy.verifyCommit(live)
  }

  private func capture(
    _ live: LiveFile, _ reason: VersionReason, _ note: String?
  ) throws {
    let isForLater = configuration.capturing == .whenIdle && reason == .write
    guard !isForLater else { return }
    do {
      try LiveCapture(store: store).capture(
        reason: reason, changed: workingCopy.uncapturedPages, note: note)
    } catch is StaleLook where !live.connection.hasMoved {
      throw LiveFileOverwritten()
    }
  }

  /// Saves a commit that went into a replaced file as a version, which then competes with the file
  /// that has the name now.
  private func rescue(_ reason: VersionReason) throws {
    guard let live = workingCopy.file else { throw StoreError.inDoubt("it is closed", paths) }
    let version: Version
    do {
      if live.connection.hasChangedPages {
        workingCopy.noteCommit(try live.connection.takeChangedPages())
      }
      let isProven = try workingCopy.holdsOnlyOwnCommits(live)
      guard isProven != false else { throw StoreError.inDoubt(Self.overwritten, paths) }
      version = try LiveCapture(store: store).captureOrphan(
        live, reason, .displaced(base: workingCopy.current, isOverwritten: false),
        isProven: isProven ?? false)
      workingCopy.abandon()
      try SyncLoop(store: store).run(waiting: configuration.writePatience)
    } catch {
      if let error = error as? StoreError, error.code == .inDoubt {
        workingCopy.abandon()
        throw error
      }
      workingCopy.close()
      workingCopy.noteOrphansTold()
      throw StoreError.inDoubt("\(StoreError.of(error, paths))", paths)
    }
    guard let current = try workingCopy.currentVersion(), current.content != version.content else {
      return
    }
    let isMerged = current.reason == .merge
    if try isMerged && versions.listed().graph.isAncestor(version.id, of: current.id) { return }
    throw StoreError.setAside(version.id, paths)
  }
}
