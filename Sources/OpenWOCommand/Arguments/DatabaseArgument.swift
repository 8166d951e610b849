import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage

/// Which database a call is about, and how the caller named it.
struct DatabaseArgument: Sendable {
  let path: FilePath
  /// Whether the caller left it out, so that a hint may leave it out too.
  let isImplied: Bool
  /// Whether the result is for another program, which may run in another folder.
  var isReadElsewhere = false

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

  /// The caller's name for it; nil to use its whole path.
  var typed: DatabaseName? {
    isReadElsewhere ? nil : DatabaseName(path, isImplied: isImplied)
  }

  /// A call of the command on the same database, to be pasted into a shell.
  func command(_ verb: String, _ more: String...) -> String {
    let call = (typed ?? DatabaseName(resolved)).openwo(verb)
    return ([call] + more).joined(separator: " ")
  }
}

extension FilePath {
  /// The database of the only store in the working folder, or of the only one that this device knows there though its own folder is gone.
  static func onlyStore(
    for verb: String, lost: () throws -> [FilePath.Component]
  ) throws -> FilePath {
    let suffix = Array(".openwo".utf8)
    let files = FileSystem()
    let found = try files.list(".") { $0.bytes.suffix(suffix.count).elementsEqual(suffix) }
      .filter { companion in
        // Without store.json the versions tell that it is one.
        try ["store.json", "versions"].contains { (name: FilePath.Component) in
          try files.statusIfPresent(FilePath(root: nil, [companion, name])) != nil
        }
      }
      .map { FilePath(bytes: $0.bytes.dropLast(suffix.count)) }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    guard let only = found.first else {
      let known = (try? lost()) ?? []
      if known.count == 1 { return FilePath(root: nil, known) }
      throw StoreError(
        .noStore, "there is no store in the working folder",
        hint: try onlyDatabase(files).map { "make a store of the database here: openwo init \($0)" }
          ?? "name the database, or make a store of it: openwo init DATABASE")
    }
    guard found.count == 1 else {
      let names = found.prefix(5).map(\.printable).joined(separator: ", ")
      throw StoreError.usage(
        "the working folder holds \(found.count) stores (\(names))",
        hint: "name one: openwo \(verb) \(only.shellName)")
    }
    return only
  }
}

extension FilePath {
  /// The only file in the working folder that has the name of a SQLite database, for a shell.
  private static func onlyDatabase(_ files: FileSystem) throws -> String? {
    let endings = [".db", ".sqlite", ".sqlite3", ".db3"].map { Array($0.utf8) }
    let named = try files.list(".") { name in
      endings.contains { name.bytes.suffix($0.count).elementsEqual($0) }
    }
    let found = try named.map { FilePath(root: nil, [$0]) }.filter { path in
      try files.statusIfPresent(path).map { $0.kind == .regular && $0.size > 0 } ?? false
    }
    return found.count == 1 ? found[0].shellName : nil
  }

  /// The path as text for JSON: unchanged if it is UTF-8, otherwise escaped.
  var jsonText: String { String(validating: bytes, as: UTF8.self) ?? printable }
}
