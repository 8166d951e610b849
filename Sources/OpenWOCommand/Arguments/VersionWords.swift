import ArgumentParser

/// The words of a verb about one version: `DATABASE VERSION`, or VERSION alone.
struct VersionWords: ParsableArguments {
  @Argument(help: ArgumentHelp(ArgumentHelp.database.abstract, valueName: "database"))
  var first: String?

  @Argument(
    help: ArgumentHelp(
      "The beginning of an id, @ for the live version, @~2 for two before, or a time.",
      valueName: "version"))
  var second: String?

  /// The word for DATABASE, if one was given.
  var database: String? { second == nil ? nil : first }
  /// The word for VERSION.
  var version: String? { second ?? first }
}
