import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// The time in which this process has the live file open: it holds the session locks, so that the
/// other processes of this machine wait for it.
///
/// A session continues after a read or a write, as the next one may come soon; the background
/// thread ends it.
struct Session: StorePart {
  let store: Store

  /// Prepares the live file for use: takes the session locks, checks the lock files, and checks
  /// that nobody changed the file.
  ///
  /// It waits up to that many milliseconds for a file that is still arriving.
  func enter(waiting: Int64) throws -> LiveFile {
    try begin()
    if let lock = try lockToMakeWayFor() {
      do {
        try makeWay()
      } catch {
        // The commit is already in the live file; the first look after the lock captures it.
        if let error = StoreError.of(error, paths) as? StoreError { events.send(.problem(error)) }
      }
      throw coordinator.isLocked(by: lock)
    }
    workingCopy.endLook()
    if let live = try workingCopy.fileInStep() { return live }
    for attempt in 0..<Store.attempts {
      // After four failed attempts, take the writer lock, so that no other process of this device
      // interferes.
      let found = try attempt < 4 ? look(waiting) : store.asWriter { try look(waiting) }
      if let found { return found }
    }
    throw StoreError.busy(paths)
  }

  /// Looks at the live file again; nil if it changed meanwhile.
  private func look(_ waiting: Int64) throws -> LiveFile? {
    do {
      try waitingCommits.captureOwn()
      workingCopy.close()
      try store.catchUp()
      try SyncLoop(store: store).runBeforeUse(waiting: waiting)
      let file = try workingCopy.open()
      return workingCopy.recognises(file) ? file : nil
    } catch is StaleLook {
      return nil
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // It came since the look.
      return nil
    }
  }

  /// Takes the session locks, which a process has for itself while it begins or ends a lock.
  func begin() throws {
    try awaiting(.session, upTo: FileCoordinator.patience) {
      try coordinator.enter(waitingUpTo: $0)
    }
  }

  /// The active lock.
  ///
  /// - Throws: `newerFormat` for a lock that only a newer openwo can read; this process has then
  ///   closed the file.
  func lockToMakeWayFor() throws -> StoreLock? {
    do {
      return try coordinator.lockInSight()
    } catch let error as StoreError where error.code == .newerFormat {
      try? makeWay()
      throw error
    }
  }
}

/// The end of a session.
extension Session {
  /// Ends the session: closes the live file and gives the session locks back, but for reads that
  /// still run.
  ///
  /// Commits that wait are captured first, as they can be read as ours only from the file that is
  /// open now. If that fails, the next reconciliation finds them as a change of the file; one that
  /// has lost its name stays open.
  func letGo() {
    waitingCommits.captureIfFree()
    workingCopy.closeAfterLook()
    versions.burst.close()
    coordinator.leave()
  }

  /// Runs a body in a session that ends with it.
  func run<Result>(_ body: () throws -> Result) throws -> Result {
    try lettingGo {
      try coordinator.enter()
      return try body()
    }
  }

  /// Runs a body after which the session ends, if there is one.
  func lettingGo<Result>(_ body: () throws -> Result) rethrows -> Result {
    defer { letGo() }
    return try body()
  }

  /// Ends the session for a lock, after capturing earlier commits.
  ///
  /// A file that is still open was open before the lock, so the holder waits for it.
  func makeWay() throws {
    try lettingGo { if workingCopy.isOpen { try waitingCommits.capture() } }
  }

  /// Runs a body that only looks at the live file, which is closed afterwards.
  ///
  /// Commits that wait to be captured are captured first, as ``letGo()`` does.
  func looking<Result>(_ body: () throws -> Result) rethrows -> Result {
    waitingCommits.captureIfFree()
    return try workingCopy.looking(body)
  }

  /// Runs a body while no other process of this machine has the live file open; it is closed before
  /// another one may open it.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    letGo()
    try awaitReaders(upTo: FileCoordinator.patience)
    let locks = try awaiting(.alone, upTo: FileCoordinator.patience) {
      try coordinator.takeAlone(waitingUpTo: $0)
    }
    defer {
      workingCopy.close()
      for lock in locks { lock.release() }
    }
    return try body()
  }
}
