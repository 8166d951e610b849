import OpenWOFiles
import OpenWOSQLite

/// Waiting without holding the store, for calls that can begin again.
///
/// Who holds the writer lock, and with it perhaps a transaction, waits with the store held.
extension Store {
  /// Whether other calls may use the store while this one waits.
  var yieldsToWait: Bool { call.beginsAgain && !coordinator.isWriting }

  /// Waits: a call that begins again ends here until then.
  func pause(nanoseconds: Int64) throws {
    if yieldsToWait { throw NotYet(pause: nanoseconds) }
    clock.sleep(nanoseconds: nanoseconds)
  }

  /// Takes OS locks that others may hold up to a limit; `take` takes them, waiting up to a time, and does nothing else.
  func awaiting<Result>(
    _ what: StoreCall.Awaited, upTo limit: Duration, _ take: (Duration) throws -> Result
  ) throws -> Result {
    guard yieldsToWait else { return try take(limit) }
    if let result = try coordinator.trying({ try take(.zero) }) {
      call.hasGot(what)
      return result
    }
    let waited = call.waited(for: what, at: clock.monotonic())
    // The last try names who holds it.
    guard waited < limit.nanoseconds else { return try take(.zero) }
    throw NotYet(pause: min(limit.nanoseconds - waited, OSLock.pause(after: waited)))
  }

  /// Runs a body while no other process of this machine has the live file open.
  func alone<Result>(_ body: () throws -> Result) throws -> Result {
    letGo()
    let locks = try awaiting(.alone, upTo: FileCoordinator.patience) {
      try coordinator.takeAlone(waitingUpTo: $0)
    }
    defer { for lock in locks { lock.release() } }
    return try body()
  }

  /// Why a transaction could not begin: that it has to wait for another program's, or the error.
  func laterIfBusy(_ error: any Error) -> any Error {
    guard yieldsToWait, let busy = error as? SQLiteError, busy.code == .busy else { return error }
    let waited = call.waited(for: .transaction, at: clock.monotonic())
    guard waited < configuration.busyTimeout.nanoseconds else { return error }
    return NotYet(pause: OSLock.pause(after: waited))
  }
}
