import OpenWOFiles
import SystemPackage

/// What is at the place of a database before it becomes a store, and what follows from it.
struct InitializeFacts {
  let paths: StorePaths
  /// Whether `store.json` is there.
  var hasStore = false
  var hasVersions = false
  /// What has the database's name; nil: nothing.
  var database: FileStatus.Kind?
  /// A journal, a write-ahead log or a companion.
  var leftovers: [FilePath] = []
  /// The file by which iCloud stands in for a database that it has not brought.
  var placeholder: String?

  /// What is to be done first.
  enum Step: Equatable {
    case keepDatabase, makeDatabase
  }

  /// Decides what to do.
  ///
  /// - Throws: `traces` if there is a store, or if there are signs of a database that is not here
  ///   now; `noStore`; `notADatabase`.
  func decide(create: Bool) throws -> Step {
    if hasStore {
      throw StoreError(
        .traces, "\(paths.name) is a store already; nothing was changed",
        advice: paths.next("just use it", .lookAgain), remedies: [.correctCall])
    }
    if let trace {
      throw StoreError(
        .traces,
        "\(trace) shows that there is or was a database \(paths.name); not making "
          + "a new one",
        // Without `store.json`, a device that knows the store can restore it.
        advice: hasVersions
          ? paths.next("if the service does not bring store.json, put it back", .repair)
          : paths.next("wait until the service has delivered everything, then", .lookAgain))
    }
    if database != nil && create {
      throw StoreError(
        .traces, "\(paths.name) is there already; nothing was changed",
        advice: paths.next("to make a store of it", .initialize), remedies: [.makeStore])
    }
    if create { return .makeDatabase }
    guard let database else {
      throw StoreError(
        .noStore, "there is no database \(paths.name)",
        advice: paths.next("to make an empty one", .makeStore), remedies: [.makeStore])
    }
    guard database == .regular else {
      throw StoreError(
        .notADatabase, "\(paths.name) is not a regular file; nothing was changed",
        advice: paths.next("see what it is", .list(paths.typed)))
    }
    return .keepDatabase
  }

  private var trace: String? {
    if database != nil { return hasVersions ? paths.called(paths.versions).printable : nil }
    return leftovers.first.map { paths.called($0).printable } ?? placeholder
  }
}

extension InitializeFacts {
  /// Looks at the place.
  init(_ paths: StorePaths, _ files: FileSystem) throws {
    self.init(paths: paths)
    hasStore = try files.statusIfPresent(paths.manifest) != nil
    hasVersions = try files.statusIfPresent(paths.versions) != nil
    database = try files.statusIfPresent(paths.database)?.kind
    leftovers = try [paths.journal, paths.writeAheadLog, paths.companion].filter {
      try files.statusIfPresent($0) != nil
    }
    if hasStore { return }
    let name = Array(".\(paths.databaseName?.printable ?? "").icloud".utf8)
    placeholder = try files.list(paths.folder, limit: 100_000) { $0.bytes == name }.first?.printable
  }
}
