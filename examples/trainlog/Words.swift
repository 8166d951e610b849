import ArgumentParser
import ExampleShared

/// The command line: a verb, and what it is about.
struct Words: ParsableArguments {
  @Argument(help: "One of: \(Verb.allCases.map(\.rawValue).joined(separator: ", ")).")
  var verb: Verb

  @Argument(help: "What the verb is about; see above.")
  var rest: [String] = []

  @OptionGroup var folder: FolderOption

  @Option(help: "For 'log' and 'edit': a note.")
  var note: String?

  @Option(
    name: .shortAndLong,
    help: "For 'export': the file to write; else one that has the time in its name.")
  var output: String?

  @Option(help: "For 'legacy': the settings of the app from before.")
  var from: String?

  @OptionGroup var tongue: LanguageOption

  static let discussion = """
    list                    the log, the latest first; each workout has a number
    log EXERCISE SET...     a workout done; a set is 80x5 in your unit, x12 without a weight, 60s for a
                            time, and @8 after it says how hard it was (RPE 1 to 10)
    edit NUMBER [EXERCISE] [SET...]
                            other sets of an exercise of a workout, or with --note another note
    delete NUMBER           take a workout out of the log
    favorite EXERCISE       make an exercise a favourite, or no longer
    favorites               the favourites
    unit kg|lb              the unit that weights are shown in
    export                  the whole log as JSON, as the open file has it
    import FILE             take over an export; what is here already stays as it is
    legacy                  take over favourites and unit of the app from before; by itself at the first start
    bring-in                bring in what was set aside on another device
    status                  the state of syncing
    """
}

/// The verbs of the app.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, log, edit, delete, favorite, favorites, unit, export, `import`, legacy, status
  case bringIn = "bring-in"
}
