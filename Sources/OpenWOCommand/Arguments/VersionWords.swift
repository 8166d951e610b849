import ArgumentParser
import OpenWOFiles
import SystemPackage

/// `[DATABASE] VERSION`: with one word it is the version, and the database is found as always; the other order is understood, too.
struct VersionWords: ParsableArguments {
  @Argument(
    help: ArgumentHelp(ArgumentHelp.database.abstract, valueName: "database"),
    completion: .file())
  var first: String?

  @Argument(
    help: ArgumentHelp(
      "The beginning of an id, @ for the live version, @~2 for two before, or a time.",
      valueName: "version"), completion: .versions)
  var second: String?

  /// The word for DATABASE, if one was given.
  var database: String? { second == nil ? nil : isSwapped ? second : first }
  /// The word for VERSION.
  var version: String? { isSwapped ? first : second ?? first }

  /// Whether only the second word names something that is there.
  private var isSwapped: Bool {
    guard let first, let second else { return false }
    return !isThere(first) && isThere(second)
  }

  private func isThere(_ word: String) -> Bool {
    (try? FileSystem().statusIfPresent(FilePath(word))) != nil
  }
}
