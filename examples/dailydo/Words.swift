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

  @Option(help: "The language: en or ja; else that of $LC_ALL, $LC_MESSAGES or $LANG.")
  var lang: Tongue?

  var language: Language {
    lang?.language ?? Language(environment: ProcessInfo.processInfo.environment)
  }

  /// A command has no first screen that waits for a slow folder.
  var places: AppPlaces {
    var places = AppPlaces(syncFolder: folder)
    places.probeLimit = .seconds(2)
    return places
  }

  static let discussion = """
    list                    the to-dos
    add TITLE               a to-do
    done TITLE              done, or not done after all
    edit TITLE NEW          another title
    delete TITLE            a to-do that is none
    reset [HOUR]            when a new day begins: what was done before is to be done again
    settings                the switch
    sync-on, sync-off       the switch, moved
    open                    stay open and show what comes, until ^D
    """

  func title() throws -> String {
    guard !rest.isEmpty else { throw Mistake(en: "name a to-do", ja: "TODOを指定してください。") }
    return rest.joined(separator: " ")
  }
}

/// What the app can do.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, done, edit, delete, reset, settings, open
  case on = "sync-on"
  case off = "sync-off"
}

/// Something that the person asked for and that cannot be.
struct Mistake: Error, CustomStringConvertible, Hashable {
  let words: Translated

  var description: String { words.en }

  init(en: String, ja: String) {
    words = Translated(en: en, ja: ja)
  }
}

/// The language that a person has asked for.
enum Tongue: String, ExpressibleByArgument, CaseIterable {
  case en, ja

  var language: Language { self == .ja ? .ja : .en }
}
