import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The `openwo` command: words in, one call of the library, a report out.
@main
enum OpenWOCommand {
  static func main() {
    ignoreFileSizeSignals()
    OwnProcess.exit(run(.own).status)
  }

  /// Does what the words ask for, says so, and returns the status to end with.
  static func run(_ surroundings: Surroundings) -> ExitCode {
    do {
      switch try Invocation.parse(surroundings.words, surroundings) {
      case .help(let verb):
        try surroundings.console.print(verb.map(Help.text) ?? Help.overview)
        return .done
      case .run(let call):
        let outcome = try call.verb.run(call)
        try call.tell(outcome)
        return outcome.exit
      }
    } catch {
      return complain(error, surroundings)
    }
  }

  private static func complain(_ error: any Error, _ surroundings: Surroundings) -> ExitCode {
    if let end = error as? EndedBySignal { return .signal(end.number) }
    // Whoever read our output has gone: as if SIGPIPE had ended us.
    if error is BrokenPipe { return .signal(13) }
    let error = StoreError(any: error)
    let exit = ExitCode(error.code)
    if surroundings.asks(for: .json) {
      surroundings.console.remark(JSONValue.error(error, exit).line)
    } else {
      surroundings.console.complain(error)
    }
    return exit
  }
}

/// A signal asked the process to end; all that it had taken was let go first.
struct EndedBySignal: Error {
  let number: Int32
}

extension Invocation {
  /// Prints what a verb has to say, in the form that was asked for.
  fileprivate func tell(_ outcome: Outcome) throws {
    guard let report = outcome.report else { return }
    if try isOn(.json) {
      let path = verb.takesDatabase ? try database().resolved : nil
      try console.print(report.document(command: verb.name, database: path?.jsonText))
    } else if try isOn(.quiet) {
      return
    } else if outcome.isRemark {
      console.remark(report.text(console.remarkStyle))
    } else {
      try console.print(report.text(console.outputStyle))
    }
  }
}

extension StoreError {
  /// What the layers below the store throw outside of it, in the words of a store.
  fileprivate init(any error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as FileError where error.isNoSpace:
      self.init(.noSpace, error.message, hint: "make room, then try again: openwo status")
    case let error as FileError where error.isNotPermitted:
      self.init(.notPermitted, error.message, hint: "see who you are here: id")
    case let error as FileError:
      self.init(.io, error.message, hint: "look closer: openwo doctor")
    default:
      self.init(.io, "\(error)", hint: "look closer: openwo doctor")
    }
  }
}

extension JSONValue {
  /// An error as `--json` writes it to standard error.
  fileprivate static func error(_ error: StoreError, _ exit: ExitCode) -> JSONValue {
    .object([
      JSONMember("schema", .string("openwo/1")),
      JSONMember("error", .string(error.code.description)),
      JSONMember("message", .string(error.message)), JSONMember("hint", .string(error.hint)),
      JSONMember("exit", .integer(Int64(exit.status))),
      JSONMember("lock", error.lock.map { .lock($0) } ?? .null),
      JSONMember("version", .id(error.version)),
    ])
  }
}
