import OpenWOFiles

/// The lock that counts now.
extension FileCoordinator {
  /// The active lock, if there is one.
  ///
  /// It costs one look at the folder if the folder is empty or missing.
  ///
  /// - Throws: `newerFormat` if there is a lock that only a newer openwo can read.
  func lockInSight() throws -> StoreLock? {
    guard let found = try files.statusIfPresent(paths.locks) else { return nil }
    // Only while the folder is empty: a file may be rewritten in place, which the folder does not
    // show.
    if found.signature == emptyFolder { return nil }
    let board = try board()
    if let newer = board.newer { throw StoreError.newerLock(newer, paths) }
    return board.effective
  }

  /// The lock that keeps this device from the live file.
  ///
  /// While this device's own lock is only requested, the last writes of other devices are still
  /// imported.
  func lockInTheWay() throws -> StoreLock? {
    try lockInSight().flatMap { $0.device == device.id && $0.state == .asked ? nil : $0 }
  }
}
