import OpenWO
import OpenWOFiles
import SystemPackage

/// Which database a call is about, and how the caller named it.
struct DatabaseArgument: Sendable {
  let path: FilePath
  /// Whether the caller left it out, so that a hint may leave it out too.
  let isImplied: Bool

  /// The path without links, as far as it can be found out.
  var resolved: FilePath {
    let files = FileSystem()
    if let path = try? files.realpath(path) { return path }
    guard let name = path.lastComponent else { return path }
    let folder = path.removingLastComponent()
    guard let folder = try? files.realpath(folder.isEmpty ? "." : folder) else { return path }
    return folder.appending(name)
  }

  /// The database's name, safe to print.
  var name: String { path.lastComponent?.printable ?? path.printable }

  /// A call of the command on the same database, to be pasted into a shell.
  func command(_ verb: String, _ more: String...) -> String {
    let database = isImplied ? [] : [path.shellName]
    return (["openwo", verb] + database + more).joined(separator: " ")
  }
}

extension Invocation {
  /// The database: the first word, else `$OPENWO_DB`, else the only store in the working folder.
  func database() throws -> DatabaseArgument {
    if operands.count > verb.operands.count {
      guard !operands[0].bytes.isEmpty else {
        throw StoreError.usage(
          "the name of the database is empty", hint: "name it: openwo \(verb.name) DATABASE")
      }
      return DatabaseArgument(path: operands[0].path, isImplied: false)
    }
    if let word = surroundings.variable("OPENWO_DB") {
      return DatabaseArgument(path: word.path, isImplied: true)
    }
    return DatabaseArgument(path: try onlyStore(), isImplied: true)
  }

  /// A word behind DATABASE.
  func operand(_ index: Int) -> Word {
    operands[operands.count - verb.operands.count + index]
  }

  private func onlyStore() throws -> FilePath {
    let suffix = Array(".openwo".utf8)
    let files = FileSystem()
    let found = try files.list(".") { $0.bytes.suffix(suffix.count).elementsEqual(suffix) }
      .filter { try files.statusIfPresent(FilePath(root: nil, [$0, "store.json"])) != nil }
      .map { FilePath(bytes: $0.bytes.dropLast(suffix.count)) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    guard let only = found.first else {
      throw StoreError(
        .noStore, "there is no store in the working folder",
        hint: "name the database, or make a store of it: openwo init DATABASE")
    }
    guard found.count == 1 else {
      let names = found.prefix(5).map(\.printable).joined(separator: ", ")
      throw StoreError.usage(
        "the working folder holds \(found.count) stores (\(names))",
        hint: "name one: openwo \(verb.name) \(only.shellName)")
    }
    return only
  }
}

/// Opening the store of a call.
extension Invocation {
  /// How this call opens its store: as it stands, with nothing going on in the background.
  func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = word(.stateDir)?.path
    configuration.deviceName = text(.deviceName)
    configuration.monitors = false
    configuration.opensAsItStands = true
    // A person waits before the screen: long enough for a write of another program, no longer.
    configuration.busyTimeout = .seconds(2)
    return configuration
  }

  func open() throws -> SyncedDatabase {
    try SyncedDatabase(at: database().path, configuration: configuration())
  }
}

extension FilePath {
  /// The path as text for JSON: as it is where it is UTF-8, escaped where not.
  var jsonText: String { String(validating: bytes, as: UTF8.self) ?? printable }
}
