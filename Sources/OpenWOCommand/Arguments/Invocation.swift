import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage

/// One call of a verb: its database, and what every verb is asked by options or variables.
struct Invocation: Sendable {
  let verb: String
  let surroundings: Surroundings
  let isJSON: Bool
  let isQuiet: Bool
  /// Whether a person before a terminal leafs through what is longer than the screen.
  let usesPager: Bool
  /// The word for DATABASE, if one was given.
  private let databaseWord: Word?
  private let stateFolder: FilePath?
  private let deviceName: String?

  init(
    _ verb: String, database: String?, _ options: CommonOptions, _ surroundings: Surroundings
  ) throws {
    self.verb = verb
    self.surroundings = surroundings
    databaseWord = try database.map(surroundings.word)
    isJSON = try surroundings.isOn(options.json, "json")
    isQuiet = try surroundings.isOn(options.quiet, "quiet")
    usesPager = try !surroundings.isOn(options.noPager, "no-pager") && verb != WatchVerb.name
    stateFolder = try surroundings.word(options.stateDir, "state-dir")?.path
    deviceName = try surroundings.word(options.deviceName, "device-name")?.text
  }

  var console: Console { surroundings.console }

  /// The text of an option: from the command line, else from its variable.
  func text(_ given: String?, _ option: String) throws -> String? {
    try surroundings.word(given, option)?.text
  }

  /// Whether an option is on: on the command line, else by its variable.
  func isOn(_ given: Bool, _ option: String) throws -> Bool {
    try surroundings.isOn(given, option)
  }

  /// A span of time: from the command line, else from the option's variable.
  func duration(_ given: Span?, _ option: String) throws -> Duration? {
    if let given { return given.duration }
    guard let word = surroundings.variable(of: option) else { return nil }
    guard let span = Span(argument: word.text) else {
      throw StoreError.usage(
        "\(word.printable) is not a span of time for --\(option)",
        hint: "write it like this: --\(option) 30s, 5m, 2h or 1h30m")
    }
    return span.duration
  }

  /// A number that is not negative: from the command line, else from the option's variable.
  func count(_ given: Count?, _ option: String) throws -> Int? {
    if let given { return given.number }
    guard let word = surroundings.variable(of: option) else { return nil }
    guard let count = Count(argument: word.text) else {
      throw StoreError.usage(
        "\(word.printable) is not a number for --\(option)",
        hint: "write it like this: --\(option) 20")
    }
    return count.number
  }

  /// Prints what a verb has to say, in the form that was asked for.
  func tell(_ report: some Report, isRemark: Bool = false) throws {
    if isJSON {
      let isAboutNone = verb == VersionVerb.name
      let path =
        try report.databasePath ?? (isAboutNone ? nil : database().resolved.jsonText)
      try console.print(report.document(command: verb, database: path))
      return
    }
    if isQuiet { return }
    let lines = report.lines(isRemark ? console.remarkStyle : console.outputStyle)
    // If there is nothing to print, the error says everything.
    if lines.isEmpty { return }
    let text = lines.joined(separator: "\n")
    if isRemark {
      console.remark(text)
    } else if usesPager {
      try console.leaf(text)
    } else {
      try console.print(text)
    }
  }

  /// How many of the rows that differ are listed: as many as asked for, else all, but not on a terminal.
  func rowsListed(_ limit: Int?) -> DifferenceReport.Rows {
    if let limit { return .upTo(limit) }
    return console.outputStyle.width == nil || isJSON ? .all : .upTo(1000)
  }
}

/// The database of a call, and its store.
extension Invocation {
  /// Whether the call itself says which database it is about.
  var namesDatabase: Bool { databaseWord != nil || surroundings.variable("OPENWO_DB") != nil }

  /// The database: the first word, else `$OPENWO_DB`, else the only store in the working folder.
  func database() throws -> DatabaseArgument {
    if let databaseWord {
      guard !databaseWord.bytes.isEmpty else {
        throw StoreError.usage(
          "the name of the database is empty", hint: "name it: openwo \(verb) DATABASE")
      }
      return argument(databaseWord.path, isImplied: false)
    }
    if let word = surroundings.variable("OPENWO_DB") {
      return argument(word.path, isImplied: true)
    }
    let path = try FilePath.onlyStore(for: verb) {
      try SyncedDatabase.lostStores(in: ".", configuration: unnamed())
    }
    return argument(path, isImplied: true)
  }

  /// JSON and the answers to an assistant are read by programs, which may be in another folder.
  private func argument(_ path: FilePath, isImplied: Bool) -> DatabaseArgument {
    DatabaseArgument(
      path: path, isImplied: isImplied, isReadElsewhere: isJSON || verb == MCPVerb.name)
  }

  /// How this call opens its store: without a sync and without a background thread.
  func configuration() -> Configuration {
    var configuration = unnamed()
    configuration.databaseName = (try? database())?.typed
    return configuration
  }

  private func unnamed() -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = stateFolder
    configuration.deviceName = deviceName
    configuration.monitors = false
    configuration.opensAsFound = true
    // A person waits before the screen: long enough for a write of another program, no longer.
    configuration.busyTimeout = .seconds(2)
    // These say it in their own words.
    if !isJSON && ![SyncVerb.name, UnlockVerb.name, WatchVerb.name].contains(verb) {
      configuration.whenKeptAside = { [console] told in
        console.remark("openwo: \(told.message)\nopenwo: hint: \(told.hint)")
      }
    }
    return configuration
  }

  func open() throws -> SyncedDatabase {
    try SyncedDatabase(at: database().path, configuration: configuration())
  }
}

extension StoreError {
  /// The words of the call are off.
  static func usage(_ message: String, hint: String) -> StoreError {
    StoreError(.usage, message, hint: hint)
  }
}
