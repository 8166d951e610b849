/// Taking away the lock files of this device that count no longer.
struct EndedLocks: StorePart {
  let store: Store

  /// Takes away the lock of a program of this device that is gone.
  ///
  /// With `all` also locks that ran out or were ended from elsewhere; otherwise those wait for their holder's `unlock`.
  func sweep(all: Bool = false) throws {
    for (lock, how) in try coordinator.board().ended where lock.device == device.id {
      guard all || how == .processGone else { continue }
      try coordinator.removeLock(lock.id)
      store.lockNews.ended(lock)
    }
  }
}
