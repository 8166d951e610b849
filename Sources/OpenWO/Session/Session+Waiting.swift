import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// Waiting without holding the store, for calls that can begin again.
///
/// Who holds the writer lock, and with it perhaps a transaction, waits with the store held.
extension Session {
  /// Whether other calls may use the store while this one waits.
  var yieldsToWait: Bool { store.call.beginsAgain && !coordinator.isWriting }

  /// Runs a body, and again if the live file changes under it.
  func lookingAgain<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<Store.attempts {
      do { return try body() } catch is StaleLook {}
    }
    throw StoreError.busy(paths)
  }

  /// Waits: a call that begins again ends here until then.
  func pause(nanoseconds: Int64) throws {
    if yieldsToWait { throw NotYet(pause: nanoseconds) }
    clock.sleep(nanoseconds: nanoseconds)
  }

  /// Takes OS locks that others may hold up to a limit; `take` takes them, waiting up to a time,
  /// and does nothing else.
  func awaiting<Result>(
    _ what: StoreCall.Awaited, upTo limit: Duration, _ take: (Duration) throws -> Result
  ) throws -> Result {
    guard yieldsToWait else { return try take(limit) }
    if let result = try coordinator.trying({ try take(.zero) }) {
      store.call.hasGot(what)
      return result
    }
    let waited = store.call.waited(for: what, at: clock.monotonic())
    // The last try names who holds it.
    guard waited < limit.nanoseconds else { return try take(.zero) }
    throw NotYet(pause: min(limit.nanoseconds - waited, OSLock.pause(after: waited)))
  }

  /// Waits until no read of this process uses a file; nil: any file.
  ///
  /// Before the live file is committed to, replaced, or opened beside SQLite: closing a second
  /// descriptor drops SQLite's locks, those of reads too. For the first second of the wait no
  /// further read begins, nor once those that were there at its beginning have ended. A read that
  /// would have to wait for others waits only shortly, as it can read the last content.
  ///
  /// - Throws: `busy` if one does not end.
  func awaitReaders(of path: FilePath? = nil, upTo limit: Duration? = nil) throws {
    let limit =
      store.call.isRead
      ? Int64.nanoseconds(milliseconds: Reading.patience)
      : (limit ?? configuration.busyTimeout).nanoseconds
    let begun = clock.monotonic()
    var isHeldBack = false
    while try isRead(path) {
      let now = clock.monotonic()
      let waited = yieldsToWait ? store.call.waited(for: .readers, at: now) : now - begun
      guard waited < limit else {
        store.call.hasGot(.readers)
        throw StoreError.readHere(paths)
      }
      // Each look before the next try costs far more than one of a lock.
      let pause = min(max(waited / 20, 250_000), 25_000_000)
      if !store.call.isRead,
        waited < 1_000_000_000 || !workingCopy.readers.isAny(begunBefore: now - waited)
      {
        isHeldBack = true
        workingCopy.readers.holdBack(until: now.plus(2 * pause + 10_000_000))
      }
      try self.pause(nanoseconds: min(limit - waited, pause))
    }
    if isHeldBack || store.call.hasWaited(for: .readers) { workingCopy.readers.letBegin() }
    store.call.hasGot(.readers)
  }

  private func isRead(_ path: FilePath?) throws -> Bool {
    guard workingCopy.readers.isAny else { return false }
    guard let path else { return true }
    return try files.statusIfPresent(path).map { workingCopy.readers.isReading($0.signature) }
      ?? false
  }

  /// Waits until no program, and no read of this process, has the live file in a transaction, and
  /// opens it.
  ///
  /// - Throws: `busy` if one does not end.
  @discardableResult
  func awaitProgram() throws -> LiveFile {
    try awaitReaders(of: paths.database)
    let file = try workingCopy.open()
    try file.connection.begin(.exclusive)
    try file.connection.rollback()
    try file.takeAsFound()
    return file
  }

  /// Why a transaction could not begin: that it has to wait for another program's, or the error.
  func laterIfBusy(_ error: any Error) -> any Error {
    guard yieldsToWait, let busy = error as? SQLiteError, busy.code == .busy else { return error }
    let waited = store.call.waited(for: .transaction, at: clock.monotonic())
    guard waited < configuration.busyTimeout.nanoseconds else { return error }
    return NotYet(pause: OSLock.pause(after: waited))
  }
}
