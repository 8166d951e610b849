import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Opening and closing the live file.
extension Store {
  /// The live file, opened if it is closed; this does not check locks.
  func openLiveFile() throws -> LiveFile {
    if let live {
      if live.isReadOnly == opensReadOnly && !live.connection.hasMoved { return live }
      closeLive()
    }
    let opened = try LiveFile(
      connection: connect(.live(judge: JournalTriage(self).closure)), path: paths.database,
      isReadOnly: opensReadOnly, files: files)
    live = opened
    return opened
  }

  /// Whether a local program modified the recorded file in place, as opposed to a service that
  /// replaced it.
  ///
  /// A checkpoint of the log sets the file's time, as a service does; then compare with the file as
  /// it was before.
  func isWritten(_ signature: FileSignature) -> Bool {
    let found = signature == folded?.after ? folded?.before : signature
    return found?.isWritten(since: record?.signature) ?? false
  }

  /// Closes the live file; reads that still run keep it open until they end.
  func closeLive() {
    live?.close()
    live = nil
    readers.closeIdle()
  }

  /// Closes the live file after it was only looked at.
  func doneLooking() {
    closeLive()
    opensReadOnly = false
    logged = nil
  }

  private func connect(_ policy: GuardPolicy) throws -> Connection {
    try Connection(
      path: paths.database,
      Connection.Options(
        mode: opensReadOnly ? .readOnly : .readWrite, guardPolicy: policy,
        busyTimeout: configuration.busyTimeout))
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
    let last = record?.current ?? Baseline.lastVersion(state.root, files)
    guard let known = last.flatMap({ listing.graph[$0] })?.content,
      let recorded = try? versions.archive.reader(known, in: listing.archive)
    else { return false }
    return try has(FoldedContent(content, countedAs: recorded))
  }

  /// Turns a database in WAL mode back into a single file; no row is lost.
  ///
  /// The database without its log becomes a version soon, unless it is one already.
  ///
  /// - Parameter allow: Runs before a file in WAL mode is changed; it throws to refuse.
  /// - Returns: Whether it was in WAL mode.
  /// - Throws: `busy` while a program or a read of this process still has it open; a `StoreError` if all is done but a file
  ///   beside it may not be removed.
  func foldWriteAheadLog(allow: () throws -> Void = {}) throws -> Bool {
    try awaitReaders(of: paths.database)
    closeLive()
    let found = try files.lstat(paths.database).signature
    do {
      _ = try openLiveFile()
      return false
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // This is the state to repair.
    }
    try allow()
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
    folded = (try files.lstat(paths.database).signature, found)
    do {
      // SQLite leaves them if it cannot remove them at once.
      try removeLog(connection)
    } catch let error as FileError {
      throw StoreError.logStays(error, paths)
    }
    return true
  }
}
