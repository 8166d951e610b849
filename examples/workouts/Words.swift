import ArgumentParser
import ExampleShared
import OpenWOApp

/// The command line: the database, a verb, and what the verb is about.
struct Words: ParsableArguments {
  @Argument(help: "The database, for example ~/Sync/Training/openwo.sqlite.")
  var path: String

  @Argument(help: "One of: \(Verb.allCases.map(\.rawValue).joined(separator: ", ")).")
  var verb: Verb

  @Argument(help: "What the verb is about; see above.")
  var rest: [String] = []

  @Option(help: "For 'log': how long it took.")
  var minutes = 0

  @Option(help: "For 'log': how it felt.")
  var feedback: String?

  @Option(help: "For 'run': log a session every so many seconds.")
  var every: Double?

  @Flag(help: "For 'unlock': put back the state from before the lock.")
  var discard = false

  @OptionGroup var tongue: LanguageOption

  func validate() throws {
    let isJapanese = tongue.language == .ja
    if minutes < 0 {
      throw ValidationError(
        isJapanese ? "--minutesには0以上を指定してください。" : "--minutes cannot be negative")
    }
    if let every, !(every > 0) {
      throw ValidationError(
        isJapanese ? "--everyには0より大きい値を指定してください。" : "--every must be more than 0")
    }
  }

  static let discussion = """
    list                     the workouts
    show WORKOUT             the exercises of a workout, by its name or number
    log WORKOUT [WEIGHT...]  a session done: a weight for each exercise in turn, 60x for one that
                             failed, - for one left out; without it the weight of the last time
    plan WORKOUT EXERCISE SETSxTARGET
                             an exercise of the plan: a new one, or other sets
    unplan WORKOUT EXERCISE  take an exercise out of the plan, unless it was logged
    sessions                 the sessions done
    challenge [DATE]         a set of the day's challenge done, and the streak
    run                      stay open and tell what happens, until ^C
    status                   the state of syncing, and which device has seen the last session
    lock [NOTE]              keep the app's hands off while you edit the database by other means
    unlock                   end that lock, and see what changed
    bring-in                 bring in what was set aside on another device
    """
}

/// The verbs of the app.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, show, log, plan, unplan, sessions, challenge, status, run, lock, unlock
  case bringIn = "bring-in"
}
