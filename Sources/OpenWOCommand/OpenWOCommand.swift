import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// The `openwo` command: words in, one call of the library, a report out.
@main
struct OpenWOCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openwo",
    abstract: "Keeps one SQLite database safe inside a folder that a service keeps in sync.",
    usage: "openwo <verb> [<database>] [more] [<options>]",
    discussion: """
      The database may be left out when OPENWO_DB is set or the working folder holds exactly one \
      store. Each option has a variable: OPENWO_STATE_DIR for --state-dir.
      """,
    version: "openwo \(VersionReport.version)",
    groupedSubcommands: [
      CommandGroup(
        name: "Everyday",
        subcommands: [
          InitializeVerb.self, StatusVerb.self, EditVerb.self, WatchVerb.self, SyncVerb.self,
          WebVerb.self,
        ]),
      CommandGroup(name: "Lock", subcommands: [LockVerb.self, UnlockVerb.self]),
      CommandGroup(
        name: "Looking back",
        subcommands: [
          HistoryVerb.self, ShowVerb.self, DiffVerb.self, QueryVerb.self, UndoVerb.self,
          RestoreVerb.self,
          ConflictsVerb.self, PruneVerb.self, RecoverVerb.self,
        ]),
      CommandGroup(name: "Bringing together", subcommands: [MergeVerb.self, RulesVerb.self]),
      CommandGroup(name: "Data", subcommands: [ExportVerb.self, MigrateVerb.self]),
      CommandGroup(name: "Assistants", subcommands: [MCPVerb.self]),
      CommandGroup(
        name: "Care",
        subcommands: [DevicesVerb.self, DoctorVerb.self, LeaveVerb.self, VersionVerb.self]),
    ])

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  static func main() {
    OwnProcess.keepStandardStreams()
    ignoreFileSizeSignals()
    OwnProcess.exit(run(.own).status)
  }

  func run() throws {
    guard Surroundings.own.words.isEmpty else {
      throw StoreError.usage("options alone need a verb", hint: "see all verbs: openwo help")
    }
    throw CleanExit.helpRequest(self)
  }

  /// Does what the words ask for, says so, and returns the status to end with.
  private static func run(_ surroundings: Surroundings) -> ExitCode {
    do {
      var command = try parse(surroundings)
      try command.run()
      return .done
    } catch let exit as ExitCode {
      return exit
    } catch  where exitCode(for: error).isSuccess {
      do {
        try surroundings.console.print(text(for: error, surroundings))
        return .done
      } catch {
        return complain(error, surroundings)
      }
    } catch {
      return complain(error, surroundings)
    }
  }

  private static func complain(_ error: any Error, _ surroundings: Surroundings) -> ExitCode {
    if let end = error as? EndedBySignal { return .signal(end.number) }
    // The reader of our output has gone: end as if by SIGPIPE.
    if error is BrokenPipe { return .signal(13) }
    let error = StoreError(any: error)
    let exit = ExitCode(error.code)
    if surroundings.asksForJSON {
      surroundings.console.remark(JSONValue.error(error, exit).line)
    } else {
      surroundings.console.complain(error)
    }
    return exit
  }
}

/// The parser's errors, in our own words.
extension OpenWOCommand {
  private static func parse(_ surroundings: Surroundings) throws -> any ParsableCommand {
    let words = surroundings.words.map(\.text)
    if let command = parseVerb(words) { return command }
    if let error = unknownVerb(words) { throw error }
    do {
      return try parseAsRoot(words)
    } catch  where !exitCode(for: error).isSuccess {
      throw usage(error, surroundings)
    }
  }

  /// The error for a word that is neither a verb nor a help topic, with the verb that may be meant.
  private static func unknownVerb(_ words: [String]) -> StoreError? {
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    let isHelp = first == "help"
    guard let word = isHelp ? words.dropFirst().first : first, !word.hasPrefix("-"), word != "help",
      verb(named: word) == nil
    else { return nil }
    let verbs = configuration.groupedSubcommands.flatMap { $0.subcommands }
      .compactMap { $0.configuration.commandName }
    let meant = NearestVerb.verb(near: word, among: verbs)
    let printable = String(printable: word.utf8)
    return .usage(
      isHelp ? "there is no help on \(printable)" : "there is no verb \(printable)",
      hint: meant.map { "did you mean: openwo \(isHelp ? "help " : "")\($0)" }
        ?? "see all verbs: openwo help")
  }

  /// Parses a call that begins with a verb by that verb alone: preparing all verbs takes longer
  /// than most verbs do.
  ///
  /// Nil if that fails or a help text is requested: then the whole command parses the words.
  private static func parseVerb(_ words: [String]) -> (any ParsableCommand)? {
    guard let first = words.first, let verb = Self.verb(named: first),
      verb.configuration.subcommands.isEmpty
    else { return nil }
    guard let command = try? verb.parseAsRoot(Array(words.dropFirst())),
      type(of: command) == verb
    else { return nil }
    return command
  }

  /// The verb with a name; which type it is must be said here, as its configuration would have to be made to ask it.
  static func verb(named name: String) -> (any ParsableCommand.Type)? {
    switch name {
    case "init": InitializeVerb.self
    case "status": StatusVerb.self
    case "edit": EditVerb.self
    case "watch": WatchVerb.self
    case "sync": SyncVerb.self
    case "lock": LockVerb.self
    case "unlock": UnlockVerb.self
    case "history": HistoryVerb.self
    case "show": ShowVerb.self
    case "diff": DiffVerb.self
    case "query": QueryVerb.self
    case "undo": UndoVerb.self
    case "restore": RestoreVerb.self
    case "conflicts": ConflictsVerb.self
    case "prune": PruneVerb.self
    case "recover": RecoverVerb.self
    case "merge": MergeVerb.self
    case "rules": RulesVerb.self
    case "export": ExportVerb.self
    case "migrate": MigrateVerb.self
    case "devices": DevicesVerb.self
    case "doctor": DoctorVerb.self
    case "mcp": MCPVerb.self
    case "web": WebVerb.self
    case "leave": LeaveVerb.self
    case "version": VersionVerb.self
    default: nil
    }
  }

  /// A help text, which for a verb ends with its statuses, without the line break that would make an empty line.
  private static func text(for error: any Error, _ surroundings: Surroundings) -> String {
    var text = fullMessage(for: error)
    let verb = surroundings.words.map(\.text).first { Self.verb(named: $0) != nil }
    if let verb, text.hasPrefix("OVERVIEW: ") { text += ExitStatuses.section(verb) }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  private static func usage(_ error: any Error, _ surroundings: Surroundings) -> StoreError {
    let verb = surroundings.words.map(\.text).first { Self.verb(named: $0) != nil }
    return ParserSentence(message(for: error), verb: verb).error
  }
}

/// A signal asked the process to end, after it released everything.
struct EndedBySignal: Error {
  let number: Int32
}

extension StoreError {
  /// Turns an error of the layers below the store into a store's error.
  init(any error: any Error) {
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
  static func error(_ error: StoreError, _ exit: ExitCode) -> JSONValue {
    .object([
      JSONMember("schema", .string("openwo/1")),
      JSONMember("error", .string(error.code.description)),
      JSONMember("message", .string(error.message)), JSONMember("hint", .string(error.hint)),
      JSONMember("next", .text(NextCommand.of(error.hint))),
      JSONMember("exit", .integer(Int64(exit.status))),
      JSONMember("lock", error.lock.map { .lock($0) } ?? .null),
      JSONMember("version", .id(error.version)),
    ])
  }
}
