import ArgumentParser

/// The words of `conflicts`: `DATABASE`, or `show DATABASE SOURCE`.
struct ConflictWords: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Say row by row what the other side holds.", valueName: "show"))
  var first: String?

  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(
    help: "With show: a conflicted copy, a version or a file; else the only one that waits.",
    completion: .states)
  var source: String?

  /// Whether to show the other side.
  var shows: Bool { first == "show" }

  /// The words for DATABASE and the other side.
  func sorted() throws -> SortedWords {
    let words = [first, database, source].compactMap(\.self)
    guard !shows else { return SortedWords(Array(words.dropFirst()), states: 1) }
    let sorted = SortedWords(words, states: 0)
    guard let more = sorted.states.first else { return sorted }
    throw ValidationError("Unexpected argument '\(more)'")
  }
}
