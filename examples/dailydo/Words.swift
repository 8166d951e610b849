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

/// The verbs of the app.
enum Verb: String, ExpressibleByArgument, CaseIterable {
  case list, add, done, edit, delete, reset, settings, open
  case on = "sync-on"
  case off = "sync-off"
}
