/// One verb of the command: what it is called with, and what it does.
struct Verb: Sendable {
  /// The groups in which the help lists verbs.
  enum Group: String, Sendable, CaseIterable {
    case everyday, lock
    case lookingBack = "looking back"
    case care
  }

  let name: String
  let group: Group
  /// One line for the list of verbs.
  let summary: String
  /// Whether it works on a store: then DATABASE comes first.
  var takesDatabase = true
  /// What follows DATABASE, such as `VERSION`.
  var operands: [String] = []
  /// What follows `--`, such as `COMMAND…`.
  var trailing: String?
  var options: [Option] = []
  /// More lines for its own help.
  var details = ""
  var examples: [String] = []
  let run: @Sendable (Invocation) throws -> Outcome

  /// All options that it knows.
  var allOptions: [Option] { options + Option.common }
}

extension Verb {
  /// Every verb, in the order of the help.
  static let all: [Verb] = [
    .initialize, .status, .edit, .sync, .lock, .unlock, .history, .show, .restore, .conflicts,
    .devices, .doctor, .version,
  ]

  /// The verb of this name.
  static func named(_ name: String) -> Verb? { all.first { $0.name == name } }
}

/// What a verb leaves to be said, and the status to end with.
struct Outcome {
  /// What is printed; nil when the verb has written its result itself.
  var report: (any Report)?
  var exit = ExitCode.done
  /// Whether the text goes to standard error, because the result on standard output is another program's.
  var isRemark = false
}
