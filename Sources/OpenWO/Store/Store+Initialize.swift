import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Making a store.
extension Store {
  /// Makes a store of an existing database, or of a new one.
  ///
  /// `store.json` is written before the first version. After a crash in between, the next look
  /// finds a store and captures the database. Until then nothing beside the database is removed.
  static func initialize(
    _ path: FilePath, create: Bool, _ configuration: Configuration
  ) throws -> InitReport {
    let paths = try StorePaths.resolve(path, configuration)
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    try refuseLink(paths, configuration.files, isNoted: true)
    return try StoreError.wrapping(paths) {
      try files.refuseLinks(on: paths.companion)
      if let report = try putBackManifest(paths, configuration) { return report }
      try refuseTraces(paths, create: create, files)
      if create { try createDatabase(paths, configuration) }
      let manifest = StoreManifest(
        format: StoreManifest.currentFormat, store: randomHex(bytes: 16), app: configuration.app,
        environment: configuration.environment, database: paths.databaseName?.printable ?? "",
        created: Timestamp(milliseconds: configuration.clock.now()),
        policy: configuration.settling?.rawValue,
        rules: configuration.mergeRules.isEmpty
          ? nil : configuration.mergeRules.mapValues(\.rawValue),
        declarations: configuration.mergeDeclarations.isEmpty
          ? nil : configuration.mergeDeclarations)
      try checkDatabase(paths, paths.state(of: manifest.store), configuration)
      let shared = try files.sharing(as: paths.sharing(files))
      let companion = try shared.holding(files.hold(paths.folder))
        .holdMaking(paths.companion, mode: 0o755)
      try CompanionFile.write(
        manifest, to: paths.manifest, mode: .createNew, shared.holding(companion))
      let store = try Store.open(paths.database, configuration, EventHub())
      return try store.captureFirst()
    }
  }

  /// Refuses if `initialize` would, and changes nothing.
  static func checkInitialize(
    _ path: FilePath, create: Bool, _ configuration: Configuration
  ) throws {
    let paths = try StorePaths.resolve(path, configuration)
    try refuseLink(paths, configuration.files, isNoted: false)
    try StoreError.wrapping(paths) {
      try refuseTraces(paths, create: create, configuration.files)
      guard !create else { return }
      try refuseOtherKinds(paths, configuration.files)
      // Without SQLite, as the last connection to a database in WAL mode would checkpoint it.
      let (file, _) = try configuration.files.openRegular(paths.database)
      var start = [UInt8](repeating: 0, count: DatabaseHeader.size)
      _ = try start.withUnsafeMutableBytes { try configuration.files.pread(file, at: 0, into: $0) }
      guard DatabaseHeader.parse(start) != nil else {
        throw SQLiteError(.notADatabase, "the file has no header of a database")
      }
    }
  }

  private func captureFirst() throws -> InitReport {
    try inSession {
      let folded = try foldWriteAheadLog()
      try workingCopy.open().takeAsFound()
      let version = try asWriter {
        // A journal leads back to what was there before.
        _ = try captureUnproven()
        return try captureLive(
          reason: .create, parents: origins(ofLive: .live, workingCopy.open()).parents)
      }
      try publish()
      return InitReport(
        store: manifest.store, device: try ownSummary(), head: version.id, foldedWAL: folded)
    }
  }

  /// Refuses a link to a database outside: what a service syncs would be the link, and no version.
  private static func refuseLink(
    _ paths: StorePaths, _ files: FileSystem, isNoted: Bool
  ) throws {
    guard let link = paths.link, !link.leadsIntoSyncedFolder(files) else { return }
    if isNoted { KnownLinks.note(link, paths, files) }
    throw StoreError.linked(link, paths)
  }

  /// Refuses if there is a store, or if there are signs of a database that is not here now.
  private static func refuseTraces(
    _ paths: StorePaths, create: Bool, _ files: FileSystem
  ) throws {
    if try files.statusIfPresent(paths.manifest) != nil {
      throw StoreError(
        .traces, "\(paths.name) is a store already; nothing was changed",
        advice: paths.next("just use it", .lookAgain), remedies: [.correctCall])
    }
    if let trace = try traces(paths, files) {
      throw StoreError(
        .traces,
        "\(trace) shows that there is or was a database \(paths.name); not making "
          + "a new one",
        advice: try advice(paths, files))
    }
    let isThere = try files.statusIfPresent(paths.database) != nil
    if isThere && create {
      throw StoreError(
        .traces, "\(paths.name) is there already; nothing was changed",
        advice: paths.next("to make a store of it", .initialize), remedies: [.makeStore])
    }
    if !isThere && !create {
      throw StoreError(
        .noStore, "there is no database \(paths.name)",
        advice: paths.next("to make an empty one", .makeStore), remedies: [.makeStore])
    }
  }

  /// The advice if there are traces: without `store.json`, a device that knows the store can restore
  /// it.
  private static func advice(_ paths: StorePaths, _ files: FileSystem) throws -> Advice {
    guard try files.statusIfPresent(paths.versions) != nil else {
      return paths.next("wait until the service has delivered everything, then", .lookAgain)
    }
    return paths.next("if the service does not bring store.json, put it back", .repair)
  }

  private static func traces(_ paths: StorePaths, _ files: FileSystem) throws -> String? {
    let isThere = try files.statusIfPresent(paths.database) != nil
    if !isThere {
      for path in [paths.journal, paths.writeAheadLog, paths.companion]
      where try files.statusIfPresent(path) != nil { return paths.called(path).printable }
    } else if try files.statusIfPresent(paths.versions) != nil {
      return paths.called(paths.versions).printable
    }
    let placeholder = Array(".\(paths.databaseName?.printable ?? "").icloud".utf8)
    let names = try files.list(paths.folder, limit: 100_000) { $0.bytes == placeholder }
    return isThere ? nil : names.first?.printable
  }

  /// Builds a new database with the app's schema and seeds outside the folder, so that nobody sees
  /// half of it.
  private static func createDatabase(_ paths: StorePaths, _ configuration: Configuration) throws {
    let files = configuration.files
    try files.makeDirectories(configuration.resolvedStateFolder)
    let scratch = configuration.resolvedStateFolder.appending("new-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let connection = try Connection(
      path: scratch, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    do {
      // A database without a table has no bytes until something is written to its header.
      try connection.execute("PRAGMA user_version = 1")
      try connection.execute("PRAGMA user_version = 0")
      _ = try configuration.migrations?.run(on: connection)
      connection.close()
    } catch {
      connection.close()
      throw error
    }
    // SQLite gave it what the umask leaves.
    let permissions = try files.lstat(scratch).mode & 0o777
    try AtomicFile.copy(
      scratch, to: paths.database, mode: .createNew, permissions: permissions, fileSystem: files)
  }

  private static func refuseOtherKinds(_ paths: StorePaths, _ files: FileSystem) throws {
    guard try files.lstat(paths.database).kind == .regular else {
      throw StoreError(
        .notADatabase, "\(paths.name) is not a regular file; nothing was changed",
        advice: paths.next("see what it is", .list(paths.typed)))
    }
  }

  /// Refuses what is not a whole database, before anything is written beside it.
  private static func checkDatabase(
    _ paths: StorePaths, _ state: StatePaths, _ configuration: Configuration
  ) throws {
    try refuseOtherKinds(paths, configuration.files)
    let found = FoundDatabase(
      paths.database, keepingIn: state.root, configuration, becomesStore: true)
    do {
      try found.withWhole { connection in
        guard try connection.fileSize() > 0 else {
          throw StoreError(
            .notADatabase, "\(paths.name) is empty; nothing was changed",
            advice: paths.next("to make an empty database, remove it and run", .makeStore))
        }
        if configuration.checksDeclarations {
          try MergeDeclaration.check(configuration.mergeDeclarations, in: [connection], paths)
        }
      }
    } catch is JournalTriage.StateLeft {
      // It is whole, and the store will find the journal.
    }
  }
}
