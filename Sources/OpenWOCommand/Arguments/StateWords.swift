import ArgumentParser
import OpenWOFiles
import SystemPackage

/// The words of `diff`: `DATABASE FROM TO`, each of which may be left out.
struct StateWords: ParsableArguments {
  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(
    help:
      "The state to start from: a version, a conflicted copy or another SQLite file; else @.",
    completion: .states)
  var from: String?

  @Argument(help: "The state to come to; else the database as it is.", completion: .states)
  var to: String?

  /// The given words, in order; the first may be DATABASE.
  var all: [String] { [database, from, to].compactMap(\.self) }
}

/// The words of `merge`: `DATABASE SOURCE`, each of which may be left out.
struct SourceWords: ParsableArguments {
  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(
    help: "A conflicted copy, a version or another SQLite file; else the only one that waits.",
    completion: .states)
  var source: String?

  /// The given words, in order; the first may be DATABASE.
  var all: [String] { [database, source].compactMap(\.self) }
}

/// Words, the first of which may be DATABASE, separated from the states after it.
struct SortedWords {
  /// The word for DATABASE, if one was given.
  let database: String?
  /// The words for states.
  let states: [String]

  /// The first word is DATABASE if there are more words than states, or if there is a store at that
  /// path.
  init(_ words: [String], states count: Int) {
    let isNamed = words.count > count || words.first.map { Self.isStore($0) } == true
    database = isNamed ? words.first : nil
    states = Array(words.dropFirst(isNamed ? 1 : 0))
  }

  static func isStore(_ text: String) -> Bool {
    guard !text.isEmpty, let word = try? Surroundings.own.word(text) else { return true }
    let path = DatabaseArgument(path: word.path, isImplied: false).resolved
    let manifest = FilePath(bytes: path.bytes + Array(".openwo".utf8)).appending("store.json")
    return (try? FileSystem().statusIfPresent(manifest)) ?? nil != nil
  }
}
