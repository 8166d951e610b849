import OpenWOHistory

/// The lock that is in sight, for all that the store does.
extension Store {
  /// The lock that keeps this device from the live file.
  ///
  /// While this device's own lock is only requested, the last writes of other devices are still
  /// imported.
  func lockInTheWay() throws -> StoreLock? {
    try coordinator.lockInSight().flatMap { lock in
      lock.device == device.id && lock.state == .asked ? nil : lock
    }
  }

  /// Takes away the lock of a program of this device that is gone.
  ///
  /// With `all` also locks that ran out or were ended from elsewhere; otherwise those wait for their holder's `unlock`.
  func sweepEndedLocks(all: Bool = false) throws {
    for (lock, how) in try coordinator.board().ended where lock.device == device.id {
      guard all || how == .processGone else { continue }
      try coordinator.removeLock(lock.id)
      lockNews.ended(lock)
    }
  }
}
