import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Making a store of an existing database, or of a new one.
struct Initializing {
  let configuration: Configuration
  /// Whether the database itself is to be made.
  let create: Bool
  private let paths: StorePaths

  init(_ path: FilePath, create: Bool, _ configuration: Configuration) throws {
    (self.create, self.configuration) = (create, configuration)
    paths = try StorePaths.resolve(path, configuration)
  }

  /// Makes the store.
  ///
  /// `store.json` is written before the first version. After a crash in between, the next look
  /// finds a store and captures the database. Until then nothing beside the database is removed.
  func run() throws -> InitReport {
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    try refuseLink(isNoted: true)
    return try StoreError.wrapping(paths) {
      try files.refuseLinks(on: paths.companion)
      if let report = try putBackManifest(files) { return report }
      if try InitializeFacts(paths, files).decide(create: create) == .makeDatabase {
        try makeDatabase()
      }
      let manifest = StoreManifest(configuration, paths)
      try checkDatabase(paths.state(of: manifest.store))
      let shared = try files.sharing(as: paths.sharing(files))
      let companion = try shared.holding(files.hold(paths.folder))
        .holdMaking(paths.companion, mode: 0o755)
      try CompanionFile.write(
        manifest, to: paths.manifest, mode: .createNew, shared.holding(companion))
      return try captureFirst(Store.open(paths.database, configuration, EventHub()))
    }
  }

  /// Refuses if ``run()`` would, and changes nothing.
  func check() throws {
    let files = configuration.files
    try refuseLink(isNoted: false)
    try StoreError.wrapping(paths) {
      guard try InitializeFacts(paths, files).decide(create: create) == .keepDatabase else {
        return
      }
      // Without SQLite, as the last connection to a database in WAL mode would checkpoint it.
      let (file, _) = try files.openRegular(paths.database)
      var start = [UInt8](repeating: 0, count: DatabaseHeader.size)
      _ = try start.withUnsafeMutableBytes { try files.pread(file, at: 0, into: $0) }
      guard DatabaseHeader.parse(start) != nil else {
        throw SQLiteError(.notADatabase, "the file has no header of a database")
      }
    }
  }

  /// Writes a lost `store.json` again if versions are there and this device knows whose they are; nil if there is nothing to put back.
  ///
  /// Every device that knows the store writes the same bytes, so none of them makes a second store.
  private func putBackManifest(_ files: FileSystem) throws -> InitReport? {
    guard try files.statusIfPresent(paths.manifest) == nil,
      try files.statusIfPresent(paths.versions) != nil,
      let lost = try LostStore.find(paths, configuration), case .state = lost.source
    else { return nil }
    try lost.putBack(configuration)
    return try Store.using(paths.database, configuration) { store in
      guard let head = try store.versions.listed().graph.newestHead else {
        throw StoreError.noStore(paths)
      }
      return InitReport(
        store: store.manifest.store,
        device: try store.coordinator.ownSummary(head: store.workingCopy.current), head: head.id,
        foldedWAL: false, isPutBack: true)
    }
  }

  private func captureFirst(_ store: Store) throws -> InitReport {
    try store.session.run {
      let folded = try LoggedDatabase(store: store).foldLog()
      try store.workingCopy.open().takeAsFound()
      let version = try store.asWriter {
        // A journal leads back to what was there before.
        _ = try UnprovenStates(store: store).capture()
        return try LiveCapture(store: store).capture(
          reason: .create,
          parents: EvidenceGatherer(store: store).origins(ofLive: .live, store.workingCopy.open())
            .parents)
      }
      try store.publishing.run()
      return InitReport(
        store: store.manifest.store,
        device: try store.coordinator.ownSummary(head: store.workingCopy.current),
        head: version.id,
        foldedWAL: folded)
    }
  }

  /// Refuses a link to a database outside: what a service syncs would be the link, and no version.
  private func refuseLink(isNoted: Bool) throws {
    guard let link = paths.link, !link.leadsIntoSyncedFolder(configuration.files) else { return }
    if isNoted { KnownLinks.note(link, paths, configuration.files) }
    throw StoreError.linked(link, paths)
  }

  /// Builds a new database with the app's schema and seeds outside the folder, so that nobody sees
  /// half of it.
  private func makeDatabase() throws {
    let files = configuration.files
    try files.makeDirectories(configuration.resolvedStateFolder)
    let scratch = configuration.resolvedStateFolder.appending("new-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(scratch) }
    let connection = try Connection(
      path: scratch, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    do {
      defer { connection.close() }
      // A database without a table has no bytes until something is written to its header.
      try connection.execute("PRAGMA user_version = 1")
      try connection.execute("PRAGMA user_version = 0")
      _ = try configuration.migrations?.run(on: connection)
    }
    // SQLite gave it what the umask leaves.
    let permissions = try files.lstat(scratch).mode & 0o777
    try AtomicFile.copy(
      scratch, to: paths.database, mode: .createNew, permissions: permissions, fileSystem: files)
  }

  /// Refuses what is not a whole database, before anything is written beside it.
  private func checkDatabase(_ state: StatePaths) throws {
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

extension StoreManifest {
  /// A new store.
  fileprivate init(_ configuration: Configuration, _ paths: StorePaths) {
    let (rules, declared) = (configuration.mergeRules, configuration.mergeDeclarations)
    self.init(
      format: Self.currentFormat, store: randomHex(bytes: 16), app: configuration.app,
      environment: configuration.environment, database: paths.databaseName?.printable ?? "",
      created: Timestamp(milliseconds: configuration.clock.now()),
      policy: configuration.settling?.rawValue,
      rules: rules.isEmpty ? nil : rules.mapValues(\.rawValue),
      declarations: declared.isEmpty ? nil : declared)
  }
}
