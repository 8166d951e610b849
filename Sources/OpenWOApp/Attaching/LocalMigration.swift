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
    var state = isNew ? nil : try standing()
    var tables = isNew ? try copy(&state) : try merge()
    for _ in 0..<8 {
      do {
        if let kept = try setAside(as: state) {
          return AttachReport(
            at: now, kind: isNew ? .copied : .merged, tables: tables, failure: nil,
            keptAt: kept.printable)
        }
        // A program has written into it since.
        state = try standing()
      } catch let error as StoreError where error.code == .busy {
        throw inUse
      }
      tables = try merge()
    }
    throw inUse
  }

  private var inUse: StoreError {
    StoreError(
      .busy, "a program goes on using \(local.printable); what it wrote until now is copied",
      hint: "end it, then try again: openwo migrate \(synced.shellName) --from \(local.shellName)")
  }

  /// The file's header, in which every commit counts, once what lies beside it is in it.
  private func standing() throws -> [UInt8] {
    try withLocal { source in
      try source.foldWAL()
      return try source.withReadLock { try source.headerBytes() }
    }
  }

  /// Gives the file its other name if no program has committed since, nor is about to; nil otherwise.
  private func setAside(as state: [UInt8]?) throws -> FilePath? {
    let kept = local.named(local, ".migrated-\(now.compact)")
    let isDone = try withLocal { source in
      // Whoever waits for it finds that the file has moved.
      try source.begin(.exclusive)
      defer { try? source.rollback() }
      guard try source.headerBytes() == state else { return false }
      try files.renameWithCompanion(local, to: kept)
      return true
    }
    guard isDone else { return nil }
    // Under its old name it would be merged once more, with rows that were deleted since.
    try files.syncFolder(files.realpath(kept).removingLastComponent())
    return kept
  }

  /// Runs a body with the file open; a journal that is not its own is kept in the state folder.
  private func withLocal<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let folder = configuration.resolvedStateFolder.appending("migrated")
    do {
      return try FoundDatabase(local, keepingIn: folder, configuration).withWhole(body)
    } catch let error as SQLiteError {
      throw StoreError(
        error.code == .busy ? .busy : .notADatabase,
        "cannot read \(local.printable): \(error.message); nothing was changed",
        hint: "see what it is: file \(local.shellName)")
    }
  }

  private func copy(_ standing: inout [UInt8]?) throws -> [AttachReport.Table] {
    try SyncedDatabase.checkInitialize(at: synced, create: true, configuration: configuration)
    // Away from the folder, where nobody sees half of it.
    let state = configuration.resolvedStateFolder
    try files.makeDirectories(state)
    let scratch = state.appending("new-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let tables = try withLocal { source in
      try source.foldWAL()
      return try source.withReadLock {
        standing = try source.headerBytes()
        return try backup(source, to: scratch)
      }
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
