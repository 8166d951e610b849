import OpenWOCSQLite

/// The progress of a backup.
public struct BackupProgress: Sendable, Equatable {
  /// Pages still to be copied.
  public let remaining: Int
  /// Pages in all.
  public let total: Int
}

extension Connection {
  /// Makes the content of `destination` equal to that of this database.
  ///
  /// Nobody can change this database meanwhile. `progress` is called after each step; if it throws,
  /// `destination` stays as it was. The copy differs from the original in its change counter. See
  /// <https://sqlite.org/backup.html>.
  public func backup(
    to destination: Connection, pagesPerStep: Int = 1024,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    guard let source = database.handle, let target = destination.database.handle else {
      throw database.closedError
    }
    try withReadLock {
      guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
        throw SQLiteError(result: sqlite3_extended_errcode(target), database: target)
      }
      var finished = false
      defer { if !finished { sqlite3_backup_finish(backup) } }
      while true {
        let result = sqlite3_backup_step(backup, Int32(clamping: max(1, pagesPerStep)))
        guard result == SQLITE_OK || result == SQLITE_DONE else {
          throw SQLiteError(result: result, database: nil)
        }
        try progress(
          BackupProgress(
            remaining: Int(sqlite3_backup_remaining(backup)),
            total: Int(sqlite3_backup_pagecount(backup))))
        if result == SQLITE_DONE { break }
      }
      finished = true
      try destination.database.check(sqlite3_backup_finish(backup))
    }
  }
}
