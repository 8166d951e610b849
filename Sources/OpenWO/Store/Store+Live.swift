import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Opening and closing the live file.
extension Store {
  /// The live file, opened if this process has let go of it; nothing is asked about locks here.
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

  /// Whether what stands there is what some program made of the very file that is recorded, and not one that a service brought.
  ///
  /// Folding a file gives it a time, as a service does: then it is asked of the file as it was found.
  func isWritten(_ signature: FileSignature) -> Bool {
    let found = signature == folded?.after ? folded?.before : signature
    return found?.isWritten(since: record?.signature) ?? false
  }

  func closeLive() {
    live?.close()
    live = nil
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

  /// Whether a version has what stands in the file, whatever mode that is in.
  private func isKnownButForMode(_ content: LiveContent) throws -> Bool {
    let listing = try versions()
    func has(_ content: FoldedContent) throws -> Bool {
      try listing.graph.contains(
        content: BlockDigests(size: content.size, read: content.read).root)
    }
    if try has(FoldedContent(content)) { return true }
    // Which version it was is known after a new start of the machine, too.
    let last = record?.current ?? LocalRecord.lastVersion(state.root, files)
    guard let known = last.flatMap({ listing.graph[$0] })?.content,
      let recorded = try? archive.reader(known, in: listing.archive)
    else { return false }
    return try has(FoldedContent(content, countedAs: recorded))
  }

  /// Brings a database that some tool switched to WAL back to a single file; no row is lost.
  ///
  /// What stood there without the log is a version soon, unless it is one already.
  ///
  /// - Parameter allow: Is asked before a file in WAL mode is changed, and refuses by throwing.
  /// - Returns: Whether it was in WAL mode.
  /// - Throws: `busy` while a program still has it open; a `StoreError` when all is done but what lay beside it may not be removed.
  func foldWriteAheadLog(allow: () throws -> Void = {}) throws -> Bool {
    closeLive()
    let found = try files.lstat(paths.database).signature
    do {
      _ = try openLiveFile()
      return false
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // This is what is to be mended.
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
      // Nothing was folded.
      if let standing { try? files.unlink(standing) }
      throw error
    }
    try touchFolded(before, hadRows: hadRows)
    folded = (try files.lstat(paths.database).signature, found)
    do {
      // SQLite lets them lie when it cannot remove them at once.
      try removeLog(connection)
    } catch let error as FileError {
      throw StoreError.logStays(error, paths)
    }
    return true
  }
}
