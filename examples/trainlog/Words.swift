import ArgumentParser
import Foundation
import OpenWOApp

/// What stands on the command line: a verb, and what it is about.
struct Words: ParsableArguments {
  @Argument(help: "One of: \(Verb.allCases.map(\.rawValue).joined(separator: ", ")).")
  var verb: Verb

  @Argument(help: "What the verb is about; see above.")
  var rest: [String] = []

  @Option(help: "The folder that a service syncs; else $OPENWO_SYNC_DIR.")
  var folder: String?

  @Option(help: "For 'log': a note.")
  var note = ""

  @Option(
    name: .shortAndLong,
    help: "For 'export': the file to write; else one that has the time in its name.")
  var output: String?

  @Option(help: "For 'legacy': the settings of the app from before.")
  var from: String?

  @Option(help: "The language: en or ja; else that of $LANG.")
  var lang: String?

  var language: Language {
    Language(locale: lang ?? ProcessInfo.processInfo.environment["LANG"])
  }

  static let discussion = """
    list                    the log
    log EXERCISE SET...     a workout done; a set is WEIGHTxREPS in your unit, such as 80x5
    delete WORKOUT          take a workout out of the log
    favorite EXERCISE       make an exercise a favourite, or no longer
    unit kg|lb              the unit that weights are shown in
    export                  the whole log as JSON, as the open file has it
    legacy                  take over favourites and unit of the app from before
    status                  how syncing stands
    """
}

/// What the app can do.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, log, delete, favorite, unit, export, legacy, status
}
