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
    list                    the to-dos
    add TITLE               a to-do
    done TITLE              done, or not done after all
    delete TITLE            a to-do that is none
    reset HOUR              when a new day begins
    settings                the switch
    sync-on, sync-off       the switch, moved
    open                    stay open and show what comes, until ^D
    """

  func text(_ question: String) throws -> String {
    guard !rest.isEmpty else { throw Mistake(question) }
    return rest.joined(separator: " ")
  }
}

/// What the app can do.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, done, delete, reset, settings, open
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
