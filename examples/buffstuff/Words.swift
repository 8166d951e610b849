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
    list                    exercises and workouts, with the sets of the one that is going on
    add NAME [WEIGHT]       an exercise, with the weight to begin with
    edit NAME WEIGHT [NEW]  another weight, and another name if there is one
    delete NAME             an exercise that is done no more
    purge [DAYS]            remove for good what was deleted so many days ago (30)
    start NAME              a workout begins on this device
    set EXERCISE REPS [WEIGHT]
                            a set of the workout that is going on
    finish [NAME]           the workout ends; with a name, one that another device began
    bring-in                bring in what was set aside on another device
    sync                    look at the folder now
    sync-on, sync-off       whether this device syncs, from the next start on
    settings                how syncing stands
    """

  func name() throws -> String {
    guard let word = rest.first else { throw Mistake(en: "name it", ja: "名前を指定してください。") }
    return word
  }

  /// A weight in kilograms, with a point or a comma; nil when there is no such word.
  func weight(at place: Int) throws -> Double? {
    guard rest.indices.contains(place) else { return nil }
    guard let weight = Double(rest[place].replacing(",", with: ".")), weight.isFinite, weight >= 0
    else {
      throw Mistake(
        en: "'\(rest[place])' is no weight, such as 82.5", ja: "「\(rest[place])」は重量ではありません。例：82.5")
    }
    return weight
  }
}

/// What the app can do.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, edit, delete, purge, start, set, finish, sync, settings
  case bringIn = "bring-in"
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
