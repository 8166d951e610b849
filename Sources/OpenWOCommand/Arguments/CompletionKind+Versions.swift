import ArgumentParser
import OpenWO
import SystemPackage

/// Completions from the store that the words before name, else from the only one in the working
/// folder.
extension CompletionKind {
  /// Its versions.
  static let versions = ofStore { call, _ in
    try call.open().versionWords()
  }

  /// Its versions, and the conflict copies beside it.
  static let states = ofStore { call, database in
    let store = try call.open()
    let folder = database.map { FilePath($0).removingLastComponent() } ?? FilePath()
    let copies = try store.mergeable().compactMap { source in
      if case .file(let path) = source { path.lastComponent } else { nil }
    }
    return try copies.map { folder.appending($0).string } + store.versionWords()
  }

  /// The other devices, each by its name and by its id.
  static let devices = ofStore { call, _ in
    try call.open().devices().filter { !$0.isThisDevice }.flatMap { [$0.name, $0.id] }
  }

  private static func ofStore(
    _ words: @escaping @Sendable (Invocation, _ database: String?) throws -> [String]
  ) -> CompletionKind {
    .custom { line, _, _ in
      // Nobody reads an error while completing: then there is nothing to offer.
      guard let options = try? CommonOptions.parse([]) else { return [] }
      let database = line.dropFirst().first { SortedWords.isStore($0) && !$0.isEmpty }
      let call = try? Invocation(HistoryVerb.name, database: database, options, .own)
      guard let call, let found = try? words(call, database) else { return [] }
      // A line is a word, and zsh takes what follows a colon for its description.
      return found.filter { !$0.contains { $0.isNewline || $0 == ":" } }
    }
  }
}

extension SyncedDatabase {
  fileprivate func versionWords() throws -> [String] {
    ["@", "@~1"] + (try history().prefix(200).map(\.version.id.short))
  }
}
