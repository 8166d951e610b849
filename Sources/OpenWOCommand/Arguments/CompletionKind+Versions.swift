import ArgumentParser
import OpenWO
import OpenWOFiles

extension CompletionKind {
  /// The versions of the store that the words before are about, else of the only one in the working folder.
  static let versions = CompletionKind.custom { words, _, _ in
    // Nobody reads an error while completing: then there is nothing to offer.
    (try? versions(of: words)) ?? []
  }

  private static func versions(of words: [String]) throws -> [String] {
    let files = FileSystem()
    let named = words.dropFirst().first { word in
      (try? files.statusIfPresent(Word(word + ".openwo/store.json").path)) != nil
    }
    let options = try CommonOptions.parse([])
    let call = try Invocation(HistoryVerb.name, database: named, options, .own)
    return ["@", "@~1"] + (try call.open().history().prefix(200).map(\.version.id.short))
  }
}
