import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Reading and writing the live file.
///
/// `StoreCore` runs an app's closure between the beginning and the end of these, so that the closure itself never passes through here.
extension Store {
  /// A write that was begun.
  struct Transaction {
    let connection: Connection
    /// The bytes of the file's header before it.
    let header: [UInt8]
  }

  /// How long a read waits for a file that is just being replaced, in milliseconds.
  private static var readPatience: Int64 { 300 }

  private static let overwritten = "another program wrote over it meanwhile"

  /// How often a transaction is begun anew when the file is changed under its beginning.
  static var attempts: Int { 8 }

  /// More rounds than any folder needs; a bound against a folder that changes faster than we look.
  static var rounds: Int { 64 }

  /// How long a write waits for what is in its way, in milliseconds.
  var writePatience: Int64 { configuration.busyTimeout.nanoseconds / 1_000_000 }

  /// Opens a read: on the live file, or on the last good content while a lock stands or the live file is in doubt.
  func connectionForReading() throws -> Connection {
    lastUse = clock.monotonic()
    do {
      return try enter(waiting: Self.readPatience).connection
    } catch  where servesLastContent(error) {
      letGo()
      // What other processes of this device have just written included.
      try catchUp()
      guard let copy = try lastGoodCopy() else { throw error }
      return copy
    }
  }

  /// Opens a private copy of the last good content; nil where none is whole.
  func lastGoodCopy() throws -> Connection? {
    for _ in 0..<Self.attempts {
      guard let version = try lastGoodVersion() else { return nil }
      do {
        return try privateCopy(of: version.content)
      } catch HistoryError.missing {
        // Another process has just folded it into its next one.
        try listVersions()
      }
    }
    return nil
  }

  /// Ends a read: a private copy is closed, the live file stays open for the next one.
  func doneReading(_ connection: Connection) {
    lastUse = clock.monotonic()
    if connection !== live?.connection { connection.close() }
  }

  private func servesLastContent(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError:
      [.locked, .damaged, .unavailable, .busy, .newerFormat].contains(error.code)
    // A write of ours that no version has yet would be missing.
    case let error as FileError: error.isTransient && uncaptured == nil
    default: false
    }
  }

  /// Opens the live file for a write and begins the transaction; to be ended by `endWriting`.
  func beginWriting() throws -> Transaction {
    lastUse = clock.monotonic()
    _ = try enter(waiting: writePatience)
    try coordinator.beginWriting(waitingUpTo: configuration.busyTimeout)
    do {
      return try beginTransaction()
    } catch {
      coordinator.endWriting()
      throw error
    }
  }

  /// Begins a transaction as the one writer of this device.
  func beginTransaction(enforcingKeys: Bool = true) throws -> Transaction {
    for _ in 0..<Self.attempts {
      // Somebody may have written while we waited for our turn.
      let live = try enter(waiting: writePatience)
      if !enforcingKeys { try live.connection.enforceForeignKeys(false) }
      if let transaction = try begin(live) { return transaction }
    }
    throw StoreError.busy(paths)
  }

  /// Begins the transaction; nil when the file was changed under its beginning.
  private func begin(_ live: LiveFile) throws -> Transaction? {
    do {
      try refreshVersions()
      try prepareMark()
      try live.connection.begin(.immediate)
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

  /// Lets the next process write.
  func endWriting() {
    lastUse = clock.monotonic()
    coordinator.endWriting()
  }

  /// Commits, makes sure that the commit is in the file that has the name, and captures it.
  ///
  /// - Throws: `setAside` when another file has taken the name and won; the write is then a version. `inDoubt` when it stands in the file and
  ///   cannot be captured now; the next look does.
  func commit(
    _ transaction: Transaction, reason: VersionReason, note: String? = nil
  ) throws {
    guard let live else { throw StoreError.inDoubt("it is closed", paths) }
    guard live.connection.isWriting else { return try live.connection.commit() }
    // Until it is captured, nobody who asks for locks can commit on top of it.
    var hold: Statement
    do {
      hold = try live.connection.holdingReadLock()
    } catch {
      try? live.connection.rollback()
      throw error
    }
    defer { hold.finish() }
    do {
      try markJournal(of: transaction)
      try live.connection.commit()
    } catch let error as SQLiteError {
      // While anybody reads on, SQLite does not look at the journal that decides.
      hold.finish()
      hold = try resolve(error, transaction)
    }
    lastSave = now
    do {
      try capture(live, reason, note)
    } catch is LiveFileChanged {
      try rescue(reason)
    } catch is LiveFileOverwritten {
      // Nobody knows what of the write is left: the file is looked at anew before it is used again.
      closeLive()
      throw StoreError.inDoubt(Self.overwritten, paths)
    } catch {
      wait(for: .all)
      throw StoreError.notCaptured(StoreError.of(error, paths), paths)
    }
  }

  private func capture(
    _ live: LiveFile, _ reason: VersionReason, _ note: String?
  ) throws {
    // As when no row is like the one to be deleted.
    guard live.connection.hasChangedPages else { return }
    // In this order: whoever writes into the file after the look is noticed by the signature.
    try live.acknowledge()
    try live.verifyCommit()
    noteBurst(after: record?.signature)
    wait(for: try live.connection.takeChangedPages())
    let isForLater = configuration.capturing == .whenIdle && reason == .write
    guard !isForLater else { return }
    do {
      try captureLive(reason: reason, changed: waitingPages, note: note)
    } catch is LiveFileChanged where !live.connection.hasMoved {
      throw LiveFileOverwritten()
    }
  }

  /// Finds out whether a commit that reported an error took place, by looking: an unlock that fails reports one although the rows are durable.
  ///
  /// A commit whose journal could not be removed is none: SQLite undoes it at this look.
  ///
  /// - Returns: The read lock under which it was found to stand.
  private func resolve(_ error: SQLiteError, _ transaction: Transaction) throws -> Statement {
    let connection = transaction.connection
    try? connection.rollback()
    do {
      let hold = try connection.holdingReadLock()
      // Where none of its pages was written, another program has committed since.
      if try connection.headerBytes() != transaction.header, connection.hasChangedPages {
        return hold
      }
      hold.finish()
    } catch let reading {
      throw StoreError.inDoubt("\(reading)", paths)
    }
    throw error
  }

  /// Brings a commit that went into a replaced file to safety: as a version, which then is settled with what stands there now.
  private func rescue(_ reason: VersionReason) throws {
    guard let live else { throw StoreError.inDoubt("it is closed", paths) }
    let version: Version
    do {
      guard try !live.connection.isWrittenByOthers() else {
        throw StoreError.inDoubt(Self.overwritten, paths)
      }
      version = try captureOrphan(
        live, reason, .displaced(base: record?.current, isOverwritten: false))
      closeLive()
      try reconcile(waiting: writePatience, policy: policy())
    } catch {
      closeLive()
      if let error = error as? StoreError, error.code == .inDoubt { throw error }
      throw StoreError.inDoubt("\(StoreError.of(error, paths))", paths)
    }
    guard let current = try current(), current.content != version.content else { return }
    let isMerged = current.reason == .merge
    if try isMerged && versions().graph.isAncestor(version.id, of: current.id) { return }
    throw StoreError.setAside(version.id, paths)
  }

  /// Takes the live file in hand: session locks, lock files, and a look whether anybody changed it.
  ///
  /// Waits so many milliseconds for a file that is still arriving.
  func enter(waiting: Int64) throws -> LiveFile {
    try coordinator.enter()
    if let lock = try lockToMakeWayFor() {
      do {
        try makeWay()
      } catch {
        // What waits stands in the file, and is captured by the first look after the lock.
        if let error = StoreError.of(error, paths) as? StoreError { events.send(.problem(error)) }
      }
      throw coordinator.isLocked(by: lock)
    }
    doneLookingIfReadOnly()
    if let live, live.isKnown, try live.isUntouched() { return live }
    for attempt in 0..<Self.attempts {
      // Who is overtaken again and again looks while nobody else of this device can write.
      let found = try attempt < 4 ? look(waiting) : asWriter { try look(waiting) }
      if let found { return found }
    }
    throw StoreError.busy(paths)
  }

  private func doneLookingIfReadOnly() {
    if opensReadOnly { doneLooking() }
  }

  /// Looks at the live file anew; nil when it was changed meanwhile.
  private func look(_ waiting: Int64) throws -> LiveFile? {
    do {
      try captureOwn()
      closeLive()
      try catchUp()
      try reconcileBeforeUse(waiting: waiting)
      let file = try openLiveFile()
      guard file.signature == record?.signature else { return nil }
      file.becomeKnown()
      return file
    } catch is LiveFileChanged {
      return nil
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // It came since the look.
      return nil
    }
  }
}

/// The live file changed between the look and the lock: look again.
struct LiveFileChanged: Error {}

/// Somebody who asks for no lock wrote into the live file during a write of ours.
struct LiveFileOverwritten: Error {}
