import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
package import SystemPackage

/// Writing out what can be read of a damaged file.
extension Store {
  /// Writes a new database with what can be read of a file in quarantine; without a word it is the only one.
  func recover(_ word: String?, to path: FilePath) throws -> RecoveryReport {
    let all = try quarantine.list()
    quarantine.markSeen(all)
    let found = word.map { quarantine.named($0, among: all) } ?? all
    guard let file = found.first, found.count == 1 else {
      throw StoreError.noSuchQuarantine(word, among: found, paths)
    }
    try refuseCopyName(path)
    let scratch = state.scratch.appending("recovery-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let report = try recover(file, into: scratch)
    try AtomicFile.copy(scratch, to: path, mode: .createNew, fileSystem: files)
    return report
  }

  /// Refuses to write a file that the next sync would take for a conflict copy of the database.
  func refuseCopyName(_ path: FilePath) throws {
    let folder = path.removingLastComponent()
    guard let name = path.lastComponent, let own = paths.databaseName,
      let whole = try? files.realpath(folder.isEmpty ? "." : folder),
      try whole == files.realpath(paths.folder)
    else { return }
    switch NameRecogniser(database: own.bytes).sibling(name.bytes) {
    case .conflictedCopy, .databaseTwin, .staging, .journal:
      throw StoreError(
        .usage,
        "\(name.printable) beside \(own.printable) would be taken for a conflicted copy of it; "
          + "nothing was written",
        advice: paths.next("choose another folder or name", .readHelp(.showing)))
    default: return
    }
  }

  private func recover(_ file: QuarantinedFile, into path: FilePath) throws -> RecoveryReport {
    let content = try FileContent(quarantine.path(of: file), fileSystem: files)
    guard let pages = try FilePages(content) else {
      throw StoreError.nothingToRecover(file, paths)
    }
    let target = try Connection(
      path: path, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { target.close() }
    let found = try Recovery(pages).run(into: target)
    guard !found.tables.isEmpty || found.lostTable != nil else {
      throw StoreError.nothingToRecover(file, paths)
    }
    return RecoveryReport(
      file: file, tables: found.tables.map { RecoveryReport.Table(name: $0.name, rows: $0.rows) },
      lostAndFound: found.lostTable.map {
        RecoveryReport.Table(name: $0, rows: found.lostTableRows)
      },
      unreadable: found.unreadable, notes: found.notes)
  }
}

extension SyncedDatabase {
  /// Writes a new database with what can be read of a file that was kept aside.
  ///
  /// The file is read page by page; rows whose table cannot be told are in a table `lost_and_found`. Without a name it is the only file there.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion` for a name that none has, `notRestorable` if nothing can be read, `noSpace`.
  public func recover(_ id: String?, to path: String) throws -> RecoveryReport {
    try recover(id, to: FilePath(path))
  }

  /// Writes to a file whose path need not be text.
  package func recover(_ id: String?, to path: FilePath) throws -> RecoveryReport {
    try core.with { try $0.recover(id, to: path) }
  }
}
