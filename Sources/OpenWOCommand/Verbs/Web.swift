import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage

/// `openwo web`.
struct WebVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Show the database in a browser of this machine.",
    details: """
      Starts openwo-web, which is installed beside openwo: a page with the state, the lock, the
      history row by row, and a way to bring anything back. Prints its address, which works once
      and on this machine only, and opens the browser. Runs until ^C, or until nobody has asked
      for half an hour.
      """,
    examples: [
      "openwo web", "openwo web Training/openwo.sqlite --port 8080 --no-open",
      "openwo web --app org.example.trainlog --lang ja",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Begin with the settings of an app of this device.", valueName: "id"))
  var app: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The port; a free one unless said.", valueName: "n")
  )
  var port: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("en or ja; what the browser asks for unless said.", valueName: "language"),
    completion: .list(["en", "ja"]))
  var lang: String?

  @Flag(help: "Open no browser.")
  var noOpen = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let program = try call.webProgram()
    let words = [Word(program.bytes)] + (try self.words(call))
    do {
      try OwnProcess.become(words.map(\.bytes))
    } catch {
      guard error.isMissing else {
        throw StoreError(
          .io, error.message, hint: "may it be run? ls -l \(program.shellName)")
      }
      throw StoreError(
        .noSuchProgram, "the page needs the program openwo-web, which is not beside openwo",
        hint: "install it, or do without the page: openwo status")
    }
  }

  /// The arguments of the program.
  private func words(_ call: Invocation) throws -> [Word] {
    var words: [Word] = []
    func add(_ name: String, _ value: String?) {
      if let value { words += [Word("--\(name)"), Word(value)] }
    }
    add("app", try call.text(app, "app"))
    if let port = try call.count(port, "port") {
      guard port <= 65535 else {
        throw StoreError.usage(
          "--port must be at most 65535", hint: "take a free one: openwo web")
      }
      add("port", "\(port)")
    }
    if let lang = try call.text(lang, "lang") {
      guard ["en", "ja"].contains(lang) else {
        throw StoreError.usage(
          "there are no texts in '\(lang)'", hint: "say --lang en or --lang ja")
      }
      add("lang", lang)
    }
    let configuration = call.configuration()
    if let folder = configuration.stateFolder {
      let path = DatabaseArgument(path: folder, isImplied: false).resolved
      words += [Word("--state-dir"), Word(path.bytes)]
    }
    add("device-name", configuration.deviceName)
    if try call.isOn(noOpen, "no-open") { words.append(Word("--no-open")) }
    if let database = try call.shownDatabase(app) { words += [Word("--"), Word(database.bytes)] }
    return words
  }
}

extension Invocation {
  /// The program of the page, beside this one.
  fileprivate func webProgram() throws -> FilePath {
    let folders = surroundings.variable("PATH")?.bytes
      .split(separator: UInt8(ascii: ":")).map { FilePath(bytes: Array($0)) }
    let files = FileSystem()
    guard
      let own = Machine.ownProgram(
        calledAs: FilePath(bytes: OwnProcess.name), searchPath: folders ?? [], files: files)
    else { return "openwo-web" }
    let folder = ((try? files.realpath(own)) ?? own).removingLastComponent()
    return folder.appending("openwo-web")
  }

  /// The database to show: the one that is named, else the only one of the working folder; none of an app's settings.
  fileprivate func shownDatabase(_ app: String?) throws -> FilePath? {
    if namesDatabase { return try database().resolved }
    if app != nil { return nil }
    return (try? database())?.resolved
  }
}
