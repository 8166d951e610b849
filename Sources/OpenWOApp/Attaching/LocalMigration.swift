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
  ///
  /// - Throws: `busy` while a program goes on writing into the file: all that was brought in until then is in the store, and it keeps its name.
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
      hint: "end it, then try again: openwo migrate \(synced.shellName) --from \(local.shellName)")
  }

  /// Makes the store of the file; answers the header of the state that was copied.
  private func copy() throws -> (state: [UInt8], tables: [AttachReport.Table]) {
    // Away from the folder, where nobody sees half of it.
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
