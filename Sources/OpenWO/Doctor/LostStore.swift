import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store whose `store.json` or whole companion is missing, and what can be restored of it.
struct LostStore {
  /// The source of the knowledge about the store.
  enum Source: Sendable, Hashable {
    /// This device's state folder.
    case state(StatePaths)
    /// A version that began the store.
    case version
    /// Nothing: the versions say nothing of it, so it gets a new id.
    case nothing
  }

  let paths: StorePaths
  let source: Source
  /// The bytes of `store.json`.
  let bytes: [UInt8]
  /// Whether the companion has versions; if not, all of it is away.
  let hasVersions: Bool
  /// Whether a `store.json` is there that cannot be read.
  let isUnreadable: Bool
  /// The versions that this device has kept of it.
  let kept: [StoredVersion]
  /// Whether the database is away, too, as when a drive is not there.
  var lacksDatabase = false
  /// Whether something else has the name of the companion.
  var isNameTaken = false

  /// Finds a lost store at a path; nil if there is a store, or no sign of an earlier one.
  static func find(_ paths: StorePaths, _ configuration: Configuration) throws -> LostStore? {
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    let isThere = try files.statusIfPresent(paths.manifest) != nil
    if isThere {
      // A manifest that a newer openwo wrote, or that nobody may read, is not lost.
      guard try isUnreadable(paths, files) else { return nil }
    }
    let hasVersions = try files.statusIfPresent(paths.versions) != nil
    let states = StateFolder(paths: paths, files: files)
    if let state = try states.last(ofVersions: hasVersions) {
      let bytes = try files.readSmall(state.manifest, limit: CompanionFile.limit)
      let kept = try KeptHeads(folder: state.heads, files: files).stored()
      let companion = try files.statusIfPresent(paths.companion)
      return LostStore(
        paths: paths, source: .state(state), bytes: bytes, hasVersions: hasVersions,
        isUnreadable: isThere, kept: kept,
        lacksDatabase: try files.statusIfPresent(paths.database) == nil,
        isNameTaken: companion.map { $0.kind != .directory } ?? false)
    }
    guard hasVersions else { return nil }
    let graph = try Archive(folders: [paths.versions], fileSystem: files).scan().graph
    guard graph.newestHead != nil else { return nil }
    let begun = Beginnings(graph).versions.compactMap { version in
      StoreManifest(of: version).map { ($0, version.manifest ?? "") }
    }.min { ($0.0.created, $0.0.store) < ($1.0.created, $1.0.store) }
    let bytes = try begun.map { Array($0.1.utf8) } ?? newManifest(paths, configuration)
    return LostStore(
      paths: paths, source: begun == nil ? .nothing : .version, bytes: bytes, hasVersions: true,
      isUnreadable: isThere, kept: [])
  }

  /// The databases in a folder that this device last had there, and whose `store.json` is gone.
  static func names(
    in folder: FilePath, _ configuration: Configuration
  ) throws -> [FilePath.Component] {
    let files = configuration.files
    let folder = try files.realpath(folder)
    let stores = StorePaths(database: folder, stateRoot: configuration.resolvedStateFolder).stores
    guard try files.statusIfPresent(stores) != nil else { return [] }
    let names = try files.list(stores).compactMap { name -> FilePath.Component? in
      let place = StatePaths(root: stores.appending(name)).place
      guard let bytes = try? files.readSmall(place, limit: 8192) else { return nil }
      let database = FilePath(bytes: bytes)
      let manifest = StorePaths(database: database, stateRoot: stores).manifest
      guard database.removingLastComponent() == folder,
        try files.statusIfPresent(manifest) == nil
      else { return nil }
      return database.lastComponent
    }
    return Set(names).sorted { $0.string < $1.string }
  }

  private static func isUnreadable(_ paths: StorePaths, _ files: FileSystem) throws -> Bool {
    struct AnyFormat: Decodable { var format: Int }
    do {
      let found = try CompanionFile.read(AnyFormat.self, at: paths.manifest, files)
      guard let found, found.format == StoreManifest.currentFormat else { return false }
      _ = try CompanionFile.read(StoreManifest.self, at: paths.manifest, files)
      return false
    } catch is DecodingError {
      return true
    }
  }

  private static func newManifest(
    _ paths: StorePaths, _ configuration: Configuration
  ) throws -> [UInt8] {
    try CompanionFile.bytes(
      of: StoreManifest(
        format: StoreManifest.currentFormat, store: randomHex(bytes: 16), app: configuration.app,
        environment: configuration.environment, database: paths.databaseName?.printable ?? "",
        created: Timestamp(milliseconds: configuration.clock.now())))
  }

  /// Whether the existing database has the content of the newest version; one that cannot be read
  /// may have it.
  ///
  /// Another database only has the same name: making a store of it does not lose this one.
  var isOfDatabase: Bool {
    guard let newest = kept.map(\.version).max(by: { $0.loses(to: $1) }),
      let connection = try? Connection(
        path: paths.database, Connection.Options(mode: .readOnly, guardPolicy: .privateCopy))
    else { return true }
    defer { connection.close() }
    let content = try? connection.withReadLock { try LiveContent(connection).digests().root }
    return content.map { $0 == newest.content } ?? true
  }

  /// The error: the companion is away with all versions, or only `store.json` is.
  var error: StoreError {
    guard !hasVersions else {
      return isUnreadable ? .unreadableManifest(paths) : .lostManifest(paths)
    }
    let name = paths.called(paths.companion)
    let known = "this device has kept \(Repair.versions(kept.count)) of it, and nothing was changed"
    if isNameTaken {
      let other = FilePath(bytes: name.bytes + Array(".away".utf8))
      return StoreError(
        .noStore, "\(name.printable) is not a folder; \(known)",
        advice: paths.next(
          "put away what has its name, then make it again",
          .putAway(name, as: other, then: .repair)),
        remedies: [.checkFolder, .repair])
    }
    if lacksDatabase {
      return StoreError(
        .noStore, "\(paths.name) and \(name.printable) are both away; \(known)",
        advice: paths.next(
          "if neither the drive nor the service brings them back, make them again", .repair),
        remedies: [.checkFolder, .repair])
    }
    return StoreError(
      .noStore, "\(name.printable) is away; \(known)",
      advice: paths.next("if the service does not bring it back, make it again", .repair),
      remedies: [.waitForService, .repair])
  }

  /// Why another store is not begun in its place unasked.
  var newStoreError: StoreError {
    let newest = kept.map(\.version).max { $0.loses(to: $1) }
    let who = newest.map { ", the newest from \(String(printable: $0.deviceName.utf8))" } ?? ""
    return StoreError(
      .traces,
      "this device knows a store of \(paths.name), and its folder "
        + "\(paths.companion.lastComponent?.printable ?? "") is gone; "
        + "\(Repair.versions(kept.count)) of it \(kept.count == 1 ? "is" : "are") kept here\(who), "
        + "and more may be on another device or in a backup; nothing was changed",
      advice: paths.next("if the service does not bring the folder back, make it again", .repair)
        .or("to begin another store", .initializeAnother))
  }

  /// The repairs, in order.
  var repairs: [Repair] {
    let name = paths.companion.lastComponent?.printable ?? ""
    var repairs: [Repair] = []
    if !hasVersions, case .state = source {
      repairs.append(
        Repair(
          code: "companion",
          message: "make the folder \(name) again, with \(Repair.versions(kept.count)) that this "
            + "device has kept", path: paths.companion.printable))
    }
    let from =
      switch source {
      case .state: "as this device remembers it"
      case .version: "as the first version tells it"
      case .nothing: "with a new id, because no version tells the old one"
      }
    let what =
      isUnreadable ? "replace store.json, which cannot be read" : "put store.json back"
    repairs.append(
      Repair(
        code: "storeFile", message: "\(what), \(from)", path: paths.manifest.printable))
    return repairs
  }

  /// Puts it back; the live file is not looked at.
  func putBack(_ configuration: Configuration) throws {
    if isNameTaken { throw error }
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    let shared = try files.sharing(as: paths.sharing(files))
    let companion = try shared.holding(files.hold(paths.folder))
      .holdMaking(paths.companion, mode: 0o755)
    let within = shared.holding(companion)
    // Versions first, so that they are there when the store is.
    if !hasVersions {
      let versions = try within.holdMaking(paths.versions, mode: 0o755)
      for file in kept {
        try AtomicFile.copy(
          file.path, to: paths.versions.appending(file.fileName),
          fileSystem: shared.holding(versions))
      }
    }
    try AtomicFile.write(
      bytes, to: paths.manifest, mode: isUnreadable ? .replace : .createNew, fileSystem: within)
  }
}

extension StateFolder {
  /// The state of the store that this device last had here: the one whose last version is in the companion, or if that is away, the one that
  /// was noted for this path.
  func last(ofVersions hasVersions: Bool) throws -> StatePaths? {
    guard try files.statusIfPresent(paths.stores) != nil else { return nil }
    let names = hasVersions ? try files.list(paths.versions).map(\.string) : []
    let known = try files.list(paths.stores).map { paths.state(of: $0.string) }.filter { state in
      guard try files.statusIfPresent(state.manifest) != nil else { return false }
      if !hasVersions { return state.isNoted(for: paths.database, files) }
      guard let current = Baseline.lastVersion(state.root, files) else { return false }
      return names.contains { $0.contains("-\(current).") }
    }
    func age(_ state: StatePaths) -> Int64 { (try? files.lstat(state.place).mtime) ?? 0 }
    return known.max { (age($0), $0.root.string) < (age($1), $1.root.string) }
  }
}

extension StatePaths {
  /// The file with the path at which this device last opened the database.
  var place: FilePath { root.appending("place") }

  /// Records the path of the database, only to help find a companion that is away.
  func notePlace(_ database: FilePath, _ files: FileSystem) {
    guard !isNoted(for: database, files) else { return }
    try? AtomicFile.write(database.bytes, to: place, durable: false, fileSystem: files)
  }

  /// Whether the database was last at a path.
  func isNoted(for database: FilePath, _ files: FileSystem) -> Bool {
    (try? files.readSmall(place, limit: 8192)) == database.bytes
  }
}
