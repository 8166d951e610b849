import OpenWOHistory
import OpenWOSQLite

/// Dry runs of calls.
extension Store {
  /// Refuses if a lock would be refused, and returns the devices that it would wait for.
  func planLock() throws -> [DeviceSummary] {
    try inSession {
      try refuseWhileLocked()
      try awaitReaders(of: paths.database)
      do {
        let connection = try workingCopy.open().connection
        try connection.begin(.exclusive)
        try connection.rollback()
      } catch let error as SQLiteError where error.extendedCode == .walRefused {
        // A lock brings it back to a single file first.
      }
      return try othersSeenLately().map(summary)
    }
  }

  /// The version that a restore would leave.
  func planRestore() throws -> Version {
    try refuseWhileLocked()
    guard let live = try current() ?? versions.listed().graph.newestHead else {
      throw StoreError.missing(paths)
    }
    return live
  }

  private func refuseWhileLocked() throws {
    if let lock = try coordinator.lockInSight() { throw coordinator.isLocked(by: lock) }
  }
}
