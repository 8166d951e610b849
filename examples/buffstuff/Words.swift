import ArgumentParser
import ExampleShared

/// The command line: a verb, and what it is about.
struct Words: ParsableArguments {
  @Argument(help: "One of: \(Verb.allCases.map(\.rawValue).joined(separator: ", ")).")
  var verb: Verb

  @Argument(help: "What the verb is about; see above.")
  var rest: [String] = []

  @OptionGroup var folder: FolderOption

  @OptionGroup var tongue: LanguageOption

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
    settings                the state of syncing
    """

  func name() throws -> String {
    guard let word = rest.first else {
      throw Mistake(en: "name the exercise or the workout", ja: "種目かワークアウトの名前を指定してください。")
    }
    return word
  }

  /// How many days ago something was deleted that may go for good.
  func days() throws -> Int {
    guard let word = rest.first else { return 30 }
    guard let days = Int(word), days >= 0 else {
      throw Mistake(en: "'\(word)' is no number of days", ja: "「\(word)」は日数ではありません。例：30")
    }
    return days
  }

  /// A weight in kilograms, with a point or a comma; nil if there is no such word.
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

/// The verbs of the app.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, edit, delete, purge, start, set, finish, sync, settings
  case bringIn = "bring-in"
  case on = "sync-on"
  case off = "sync-off"
}
