import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// Taking away what WAL mode has left beside a database that is a single file again.
extension Store {
  /// Removes log files that a checkpoint had to leave, once that is allowed; files that stay are
  /// empty, and `doctor` names them.
  ///
  /// On another device a program may use the database in WAL mode, and the service may have
  /// delivered these files first, so they stay for an hour.
  func sweepLog(isAlone: Bool) {
    guard let found = try? LogFiles(beside: paths, files), found.areSpent,
      isAlone || found.areOlder(than: abandonedBefore),
      let connection = try? openLiveFile().connection
    else { return }
    try? connection.setBusyTimeout(.zero)
    defer { try? connection.setBusyTimeout(configuration.busyTimeout) }
    try? removeLog(connection)
  }

  /// Removes the empty files of WAL mode while no program of this machine uses WAL mode, and none
  /// can switch to it.
  ///
  /// - Throws: `FileError` if one may not be removed, `SQLiteError` with `busy` while somebody
  ///   reads.
  func removeLog(_ connection: Connection) throws {
    guard try LogFiles(beside: paths, files).areSpent else { return }
    // A program that has a database open in WAL mode always holds a shared lock on it.
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
