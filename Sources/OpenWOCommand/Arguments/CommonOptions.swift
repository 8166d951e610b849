import ArgumentParser

/// The options that every verb has; they may also come before the verb.
struct CommonOptions: ParsableArguments {
  @Flag(help: "Print one JSON document.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(help: "Do not leaf through long output with $PAGER.")
  var noPager = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Colour the text.", valueName: "when"))
  var color: ColorChoice?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("This device's own memory, outside synced folders.", valueName: "dir"),
    completion: .directory)
  var stateDir: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("What others call this device.", valueName: "name"))
  var deviceName: String?
}

/// The option of every verb that changes something.
struct DryRunOption: ParsableArguments {
  @Flag(
    name: [.customShort("n"), .long], help: "Say what would be done and change nothing.")
  var dryRun = false
}

/// The option of the verbs that decide on a state that somebody has looked at before.
struct HeadOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Do nothing and end with 14 if another version is live.", valueName: "version"),
    completion: .versions)
  var ifHead: String?
}

/// The option of the verbs that answer a question.
struct CheckOption: ParsableArguments {
  @Flag(help: "End with 3 instead of 0 when there is something to do.")
  var check = false
}

/// The options of the verbs that take the lock.
struct LockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Why, for everybody who meets the lock.", valueName: "text"))
  var note: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Wait so long for others, such as 30s.", valueName: "time"))
  var wait: Span?
}
