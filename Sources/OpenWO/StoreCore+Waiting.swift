import OpenWOFiles
import OpenWOSQLite

/// Calls that wait without holding the store.
extension StoreCore {
  /// Ends a wait when the task of the call is cancelled; nil for a call without a task.
  @TaskLocal static var cancellation: StopSign?

  /// Runs a body that may have to wait; then the store is free, and the body begins again afterwards.
  ///
  /// - Throws: `unavailable` if the store was closed meanwhile; `CancellationError` if the task was
  ///   cancelled.
  func patiently<Result: Sendable>(_ body: (Store) throws -> Result) throws -> Result {
    try patientlyGuarded { try body($0.store) }
  }

  /// The same with what the mutex guards beside the store.
  func patientlyGuarded<Result: Sendable>(
    _ body: (inout Guarded) throws -> Result
  ) throws -> Result {
    var call = StoreCall()
    call.beginsAgain = true
    while true {
      do {
        return try withGuarded(&call, body)
      } catch let wait as NotYet {
        clock.sleep(nanoseconds: wait.pause)
        if Self.cancellation?.isStopped == true { throw CancellationError() }
      }
    }
  }

  /// Takes the lock, step by step, so that reads and the background thread go on meanwhile.
  func lock(_ request: LockRequest) throws -> LockReport {
    let wait = request.waitingUpTo?.nanoseconds ?? 0
    let (sum, isEndless) = clock.monotonic().addingReportingOverflow(wait)
    var progress = Locking.Progress(deadline: isEndless ? .max : sum)
    do {
      while true {
        let report = try patientlyGuarded { guarded in
          // `close` has taken it back.
          guard progress.asked.map({ guarded.asked.contains($0.id) }) ?? true else {
            throw StoreError.closedMeanwhile(paths)
          }
          let locking = Locking(store: guarded.store, request: request)
          let report = try locking.advance(&progress)
          if let asked = progress.asked {
            if report == nil {
              guarded.asked.insert(asked.id)
            } else {
              guarded.asked.remove(asked.id)
            }
          }
          return report
        }
        if let report { return report }
      }
    } catch {
      if let asked = progress.asked {
        var call = StoreCall()
        try? withGuarded(&call) { guarded in
          guarded.asked.remove(asked.id)
          try guarded.store.coordinator.removeLock(asked.id)
        }
      }
      throw error
    }
  }
}
