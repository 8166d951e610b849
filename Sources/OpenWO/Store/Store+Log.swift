import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// Taking away what WAL mode has left beside a database that is a single file again.
extension Store {
  /// Removes what a fold had to leave, once that is allowed; what stays holds nothing, and `doctor` names it.
  ///
  /// On another device a program may use the database in WAL mode, and the service may have brought these files first: they get an hour.
  func sweepLog(isAlone: Bool) {
    guard let found = try? LogFiles(beside: paths, files), found.areSpent,
      isAlone || found.areOlder(than: abandonedBefore),
      let connection = try? openLiveFile().connection
    else { return }
    try? connection.setBusyTimeout(.zero)
    defer { try? connection.setBusyTimeout(configuration.busyTimeout) }
    try? removeLog(connection)
  }

  /// Removes the spent files of WAL mode while no program of this machine has the database open in it, and none can turn it on.
  ///
  /// - Throws: `FileError` when one may not be removed, `SQLiteError` with `busy` while somebody reads.
  func removeLog(_ connection: Connection) throws {
    guard try LogFiles(beside: paths, files).areSpent else { return }
    // Who has a database open in WAL mode holds a shared lock on it all the time.
    try connection.begin(.exclusive)
    defer { try? connection.rollback() }
    guard try !connection.hasMoved && !connection.header().isWAL,
      case let found = try LogFiles(beside: paths, files), found.areSpent
    else { return }
    for path in found.names(paths) {
      do {
        try files.unlink(path)
      } catch {
        // A service may have been here first.
        guard error.isMissing else { throw error }
      }
    }
  }
}
