package import OpenWO
import OpenWOFiles
import OpenWOSQLite
package import SystemPackage

/// Brings a file that was on one device only into a synced folder, once, by hand.
package struct LocalMigration {
  private let local: FilePath
  private let synced: FilePath
  private let configuration: Configuration

  package init(_ local: FilePath, to synced: FilePath, _ configuration: Configuration) {
    (self.local, self.synced, self.configuration) = (local, synced, configuration)
  }

  private var files: FileSystem { configuration.files }
  private var now: Timestamp { Timestamp(milliseconds: configuration.clock.now()) }

  /// Copies the file where no store is, merges it by key where one is, and gives it a name that says that it is done with.
  ///
  /// Interrupted anywhere it leaves the file whole, and either no store or a whole one.
  package func run() throws -> AttachReport {
    let isNew = SyncedDatabase.storeID(at: synced, files) == nil
    let tables = isNew ? try copy() : try merge()
    let kept = local.named(local, ".migrated-\(now.compact)")
    try files.renameNew(local, to: kept)
    let companion = local.named(local, ".openwo")
    if try files.statusIfPresent(companion) != nil {
      try files.renameNew(companion, to: kept.named(kept, ".openwo"))
    }
    // Under its old name it would be merged once more, with rows that were deleted since.
    try files.syncFolder(files.realpath(kept).removingLastComponent())
    return AttachReport(
      at: now, kind: isNew ? .copied : .merged, tables: tables, failure: nil,
      keptAt: kept.printable)
  }

  private func copy() throws -> [AttachReport.Table] {
    try SyncedDatabase.checkInitialize(at: synced, create: true, configuration: configuration)
    // Away from the folder, where nobody sees half of it.
    let state = configuration.resolvedStateFolder
    try files.makeDirectories(state)
    let scratch = state.appending("new-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let tables: [AttachReport.Table]
    do {
      // A journal that is not its own is kept there.
      let found = FoundDatabase(local, keepingIn: state.appending("migrated"), configuration)
      tables = try found.withWhole { try backup($0, to: scratch) }
    } catch let error as SQLiteError {
      throw StoreError(
        error.code == .busy ? .busy : .notADatabase,
        "cannot read \(local.printable): \(error.message); nothing was changed",
        hint: "see what it is: file \(local.shellName)")
    }
    let copy = try files.openRegular(scratch).descriptor
    try AtomicFile.write(to: synced, mode: .createNew, fileSystem: files) {
      try $0.append(contentsOf: copy)
    }
    _ = try SyncedDatabase.initialize(at: synced, create: false, configuration: configuration)
    return tables
  }

  /// A copy of the file as its last transaction left it.
  private func backup(_ source: Connection, to path: FilePath) throws -> [AttachReport.Table] {
    try source.foldWAL()
    let copy = try Connection(
      path: path, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { copy.close() }
    try source.backup(to: copy)
    return try copy.rowCounts().map(AttachReport.Table.init)
  }

  private func merge() throws -> [AttachReport.Table] {
    let store = try SyncedDatabase(at: synced, configuration: configuration)
    defer { try? store.close() }
    let result = try store.merge(.file(local), MergeRequest(allowsEmptyBase: true))
    return result.tables.map(AttachReport.Table.init)
  }
}
