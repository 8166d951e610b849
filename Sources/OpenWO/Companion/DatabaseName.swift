import OpenWOFiles
package import SystemPackage

/// A person's name for a database in a call, so that all messages use the same name.
///
/// It is valid only in the working folder of the call: a text that is read elsewhere needs the
/// whole path.
package struct DatabaseName: Sendable, Hashable {
  /// The path as it was typed.
  package let path: FilePath
  /// Whether the call left it out, so that a command may leave it out, too.
  package let isImplied: Bool

  /// Takes a path as it was typed; one that a command would read as an option begins with `./`.
  package init(_ path: FilePath, isImplied: Bool = false) {
    let isLikeOption = path.bytes.first == UInt8(ascii: "-")
    self.path = isLikeOption ? FilePath(bytes: Array("./".utf8) + path.bytes) : path
    self.isImplied = isImplied
  }
}

/// The names of the database and the files around it, as the caller would type them.
extension StorePaths {
  /// The database's name in a sentence, safe to print.
  var name: String { called(database).printable }

  /// The database's path as the caller would type it.
  var typed: FilePath { called(database) }

  /// A path relative to the caller's folder; one outside the database's folder stays as it is.
  func called(_ path: FilePath) -> FilePath {
    if path == database, let given { return given.path }
    var rest = path
    guard let givenFolder, rest.removePrefix(folder) else { return path }
    guard !rest.isEmpty else { return givenFolder.isEmpty ? "." : givenFolder }
    return DatabaseName(givenFolder.pushing(rest)).path
  }

  /// Takes over how the caller named the database, unless that name means another one.
  mutating func take(_ name: DatabaseName?, _ files: FileSystem) {
    guard let name, (try? Self.database(at: name.path, files)) == database else { return }
    given = name
    let typed = name.path.removingLastComponent()
    // If a link was typed, the files of the store may be elsewhere.
    if (try? files.realpath(typed.isEmpty ? "." : typed)) == folder { givenFolder = typed }
  }
}
