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

  @Option(help: "The language: en or ja; else that of $LANG.")
  var lang: String?

  var language: Language {
    Language(locale: lang ?? ProcessInfo.processInfo.environment["LANG"])
  }

  static let discussion = """
    list                    exercises and workouts
    add NAME [WEIGHT]       an exercise, with the weight to begin with
    delete NAME             an exercise that is done no more
    start NAME              a workout begins on this device
    set EXERCISE REPS       a set of the workout that is going on
    finish                  the workout ends
    sync                    look at the folder now
    sync-on, sync-off       whether this device syncs, from the next start on
    settings                how syncing stands
    """

  func first(_ question: String) throws -> String {
    guard let word = rest.first else { throw Mistake(question) }
    return word
  }
}

/// What the app can do.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, delete, start, set, finish, sync, settings
  case on = "sync-on"
  case off = "sync-off"
}

/// Something that the person asked for and that cannot be.
struct Mistake: Error, CustomStringConvertible, Hashable {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
