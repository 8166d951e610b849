import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage

/// A state of the database as the caller named it.
struct NamedState {
  let state: DatabaseState
  /// Its name in a sentence.
  let label: String

  var members: [JSONMember] {
    switch state {
    case .live: [JSONMember("version", .null), JSONMember("path", .null)]
    case .version(let id): [JSONMember("version", .id(id)), JSONMember("path", .null)]
    case .file(let path):
      [JSONMember("version", .null), JSONMember("path", .string(path.jsonText))]
    }
  }
}

extension Invocation {
  /// The database as it is now.
  func liveState() throws -> NamedState {
    NamedState(state: .live, label: try database().name)
  }

  /// The state that a word means: a version, else a file in the working folder, else one beside the database.
  func state(_ text: String, of store: SyncedDatabase) throws -> NamedState {
    let word = try surroundings.word(text)
    do {
      let version = try store.version(toLookAt: word.text)
      return NamedState(state: .version(version.id), label: "version \(version.id.short)")
    } catch let error as StoreError where error.code == .noSuchVersion {
      guard let path = try file(word, beside: database().path) else {
        guard !word.text.hasPrefix("@") else { throw error }
        throw StoreError(
          .noSuchVersion, "\(error.message), and no file is called \(word.printable)",
          hint: error.hint)
      }
      return NamedState(state: .file(path), label: word.printable)
    }
  }

  private func file(_ word: Word, beside database: FilePath) throws -> FilePath? {
    guard !word.bytes.isEmpty else { return nil }
    let files = FileSystem()
    if try files.statusIfPresent(word.path) != nil { return word.path }
    guard let name = word.path.lastComponent, word.path.removingLastComponent().isEmpty else {
      return nil
    }
    let sibling = database.removingLastComponent().appending(name)
    return try files.statusIfPresent(sibling) == nil ? nil : sibling
  }
}
