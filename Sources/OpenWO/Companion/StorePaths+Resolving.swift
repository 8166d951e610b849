import OpenWOFiles
import SystemPackage

extension StorePaths {
  /// Resolves the path of a database.
  ///
  /// It follows links, so that every process means the same store.
  ///
  /// - Throws: `unavailable` when the folder is not there.
  static func resolve(_ path: FilePath, _ configuration: Configuration) throws -> StorePaths {
    let files = configuration.files
    let stateRoot = configuration.resolvedStateFolder
    var given = StorePaths(database: path, stateRoot: stateRoot)
    given.given = configuration.databaseName
    do {
      let database = try database(at: path, files)
      var paths = StorePaths(database: database, stateRoot: stateRoot)
      paths.link = DatabaseLink(path, leadsTo: database, files)
      paths.take(configuration.databaseName, files)
      return paths
    } catch {
      throw StoreError.of(error, given)
    }
  }

  /// The path of the database with this path: without links, in the Unicode form of its file.
  static func database(at path: FilePath, _ files: FileSystem) throws -> FilePath {
    try resolve(path, files).inFormThatStands(files)
  }

  private static func resolve(_ path: FilePath, _ files: FileSystem) throws -> FilePath {
    let whole = path.isAbsolute ? path : try files.realpath(".").pushing(path)
    do {
      return try files.realpath(whole)
    } catch let error {
      // A database that is there may itself be a link; one that is missing has a folder at least.
      guard error.isMissing, let name = whole.lastComponent else { throw error }
      return try files.realpath(whole.removingLastComponent()).appending(name)
    }
  }
}

extension StoreError {
  /// There are versions at the path, and no `store.json`.
  static func lostManifest(_ paths: StorePaths) -> StoreError {
    StoreError(
      .noStore,
      "\(paths.called(paths.manifest).printable) is missing; the versions are there, and nothing was changed",
      advice: paths.next("if the service does not bring it, put it back", .repair),
      remedies: [.waitForService, .repair])
  }

  /// The error for a `store.json` that cannot be read.
  static func unreadableManifest(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.called(paths.manifest).printable) cannot be read as JSON; nothing was changed",
      advice: paths.next("it may still be on its way; if it stays so", .repair),
      remedies: [.waitForService, .repair])
  }

  /// The error if there is no database either, so that the name may be misspelt.
  static func noDatabase(_ paths: StorePaths, _ files: FileSystem) -> StoreError {
    let suffix = Array(".openwo".utf8)
    let companions =
      (try? files.list(paths.folder) { $0.bytes.suffix(suffix.count) == suffix[...] }) ?? []
    let stores = companions.map { FilePath(bytes: $0.bytes.dropLast(suffix.count)) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let message = "there is no database \(paths.name), and no store of it"
    guard let other = stores.first else {
      return StoreError(
        .noStore, message, advice: paths.next("to make an empty one", .makeStore),
        remedies: [.checkFolder, .makeStore])
    }
    let found = paths.called(paths.folder.pushing(other))
    let names = stores.prefix(5).map(\.printable).joined(separator: ", ")
    return StoreError(
      .noStore, "\(message); in its folder is the store \(names)",
      advice: paths.next("see its state", .lookAt(found)), remedies: [.chooseFile])
  }

  /// There is no store at the path.
  static func noStore(_ paths: StorePaths) -> StoreError {
    StoreError(
      .noStore, "there is no store at \(paths.name)",
      advice: paths.next("to make one of this database", .initialize), remedies: [.makeStore])
  }
}
