package import OpenWO
import OpenWOFiles
import OpenWOSQLite
package import SystemPackage

/// Moves a local file into a synced folder, once, on request.
package struct LocalMigration {
  private let local: FilePath
  private let synced: FilePath
  private let configuration: Configuration

  package init(_ local: FilePath, to synced: FilePath, _ configuration: Configuration) {
    (self.local, self.synced, self.configuration) = (local, synced, configuration)
  }

  private var files: FileSystem { configuration.files }
  private var now: Timestamp { Timestamp(milliseconds: configuration.clock.now()) }

  /// Copies the file if there is no store, merges it by key if there is one, and then renames it to
  /// show that it is done.
  ///
  /// If it is interrupted, the file is whole, and there is either no store or a whole one.
  ///
  /// - Throws: `busy` while a program keeps writing to the file: what was brought in until then is
  ///   in the store, and the file keeps its name.
  package func run() throws -> AttachReport {
    let isNew = SyncedDatabase.storeID(at: synced, files) == nil
    if isNew {
      try SyncedDatabase.checkInitialize(at: synced, create: true, configuration: configuration)
    }
    let kept = local.named(local, ".migrated-\(now.compact)")
    var tables: [AttachReport.Table] = []
    try file.setAside(as: kept) {
      let isThere = SyncedDatabase.storeID(at: synced, files) != nil
      let brought = isThere ? try merge() : try copy()
      tables = AttachReport.Table.sum(tables + brought.tables)
      return brought.state
    }
    return AttachReport(
      at: now, kind: isNew ? .copied : .merged, tables: tables, failure: nil,
      keptAt: kept.printable)
  }

  private var file: LocalFile {
    LocalFile(
      path: local, configuration: configuration,
      advice: Advice("end it, then try again", .migrate(local), on: DatabaseName(synced)))
  }

  /// Makes the store of the file; answers the header of the state that was copied.
  private func copy() throws -> (state: [UInt8], tables: [AttachReport.Table]) {
    // Outside the synced folder, so that nobody sees half of it.
    let folder = configuration.resolvedStateFolder
    try files.makeDirectories(folder)
    let scratch = folder.appending("new-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let brought = try file.withWhole { source in
      try source.foldWAL()
      return try source.withReadLock {
        (try source.headerBytes(), try backup(source, to: scratch))
      }
    }
    let copy = try files.openRegular(scratch).descriptor
    try AtomicFile.write(to: synced, mode: .createNew, fileSystem: files) {
      try $0.append(contentsOf: copy)
    }
    _ = try SyncedDatabase.initialize(at: synced, create: false, configuration: configuration)
    return brought
  }

  /// A copy of the file as its last transaction left it.
  private func backup(_ source: Connection, to path: FilePath) throws -> [AttachReport.Table] {
    let copy = try Connection(
      path: path, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { copy.close() }
    try source.backup(to: copy)
    return try copy.rowCounts().map(AttachReport.Table.init)
  }

  /// Merges the file into the store; answers the header of a state whose rows are all in it.
  private func merge() throws -> (state: [UInt8], tables: [AttachReport.Table]) {
    let state = try file.standing()
    let store = try SyncedDatabase(at: synced, configuration: configuration)
    defer { try? store.close() }
    let result = try store.merge(.file(local), MergeRequest(allowsEmptyBase: true))
    return (state, result.tables.map(AttachReport.Table.init))
  }
}
