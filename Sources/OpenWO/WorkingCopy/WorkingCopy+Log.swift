import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Turning a database in WAL mode back into a single file.
extension WorkingCopy {
  /// Turns a database in WAL mode back into a single file; no row is lost.
  ///
  /// The database without its log becomes a version soon, unless it is one already.
  ///
  /// - Returns: Whether it was in WAL mode.
  /// - Throws: `busy` while a program still has it open; a `StoreError` if all is done but a file
  ///   beside it may not be removed.
  func foldWriteAheadLog() throws -> Bool {
    close()
    let found = try files.lstat(paths.database).signature
    do {
      _ = try open()
      return false
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // This is the state to repair.
    }
    try LogFiles.detach(beside: paths, files)
    let connection = try connect(.foldWAL(judge: JournalTriage(self).closure))
    defer { connection.close() }
    let before = try files.lstat(paths.database)
    let hadRows = try files.statusIfPresent(paths.writeAheadLog).map { $0.size > 0 } ?? false
    let standing = try LogFiles.keepDatabase(
      connection, paths, in: state, files, unless: isKnownButForMode)
    do {
      guard try connection.foldWAL() else { return false }
    } catch let error as SQLiteError where error.code == .busy {
      // There was no checkpoint.
      if let standing { try? files.unlink(standing) }
      throw error
    }
    try touchFolded(before, hadRows: hadRows)
    try noteFolded(from: found)
    do {
      // SQLite leaves them if it cannot remove them at once.
      try removeLog(connection)
    } catch let error as FileError {
      throw StoreError.logStays(error, paths)
    }
    return true
  }

  /// Whether a version has the content of the file, whatever mode the file is in.
  private func isKnownButForMode(_ content: LiveContent) throws -> Bool {
    let listing = try versions.listed()
    func has(_ content: FoldedContent) throws -> Bool {
      try listing.graph.contains(
        content: BlockDigests(size: content.size, read: content.read).root)
    }
    if try has(FoldedContent(content)) { return true }
    // Which version it was is known after a new start of the machine, too.
    let last = current ?? Baseline.lastVersion(state.root, files)
    guard let known = last.flatMap({ listing.graph[$0] })?.content,
      let recorded = try? versions.archive.reader(known, in: listing.archive)
    else { return false }
    return try has(FoldedContent(content, countedAs: recorded))
  }
}

/// Taking away what WAL mode has left beside a database that is a single file again.
extension WorkingCopy {
  /// Removes log files that a checkpoint had to leave, once that is allowed; files that stay are
  /// empty, and `doctor` names them.
  ///
  /// On another device a program may use the database in WAL mode, and the service may have
  /// delivered these files first, so they stay until they are older than a moment, in nanoseconds.
  func sweepLog(isAlone: Bool, olderThan moment: Int64) {
    guard let found = try? LogFiles(beside: paths, files), found.areSpent,
      isAlone || found.areOlder(than: moment), let connection = try? open().connection
    else { return }
    try? connection.setBusyTimeout(.zero)
    defer { try? connection.setBusyTimeout(busyTimeout) }
    try? removeLog(connection)
  }

  /// Removes the empty files of WAL mode while no program of this machine uses WAL mode, and none
  /// can switch to it.
  ///
  /// - Throws: `FileError` if one may not be removed, `SQLiteError` with `busy` while somebody
  ///   reads.
  private func removeLog(_ connection: Connection) throws {
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
