import ArgumentParser
import Dispatch
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import Synchronization
import SystemPackage

/// `openwo mcp`.
struct MCPVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "mcp", abstract: "Let an assistant look into the database, and edit it safely.",
    usage: "[[<name>=]<database> ...] [<options>]",
    details: """
      Speaks the Model Context Protocol with an assistant's program on standard input and
      output, until the program closes them. The assistant gets tools to look, to query, to try an edit,
      to make it as one version under the lock, and to take it back. With --read-only it gets
      those that look. Several databases are served under names.
      """,
    examples: [
      "openwo mcp Training/openwo.sqlite", "openwo mcp --read-only",
      "openwo mcp work=Work/notes.db home=Home/notes.db",
    ]
  )

  @Argument(
    help: ArgumentHelp(
      "The databases; else $OPENWO_DB, else the one store in the working folder.",
      valueName: "database"), completion: .file())
  var databases: [String] = []

  @Flag(help: "Offer no tool that changes anything.")
  var readOnly = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  var database: String? { nil }

  func perform(_ call: Invocation) throws -> Outcome {
    let isReadOnly = try call.isOn(readOnly, "read-only")
    let stores = try AssistantStores(databases, call, common, isReadOnly: isReadOnly)
    if Terminal.isTerminal(FileDescriptor.standardInput.rawValue) && !call.isQuiet {
      call.console.remark("openwo: waiting for an assistant's program to speak; ^C ends it")
    }
    // Before any thread starts: the signals are for this one.
    OwnProcess.holdEndSignals()
    try Serving(call.console, stores).run()
    return Outcome()
  }
}

/// One `mcp`, until the program at the other end closes it, or a signal ends it.
private final class Serving: Sendable {
  private let console: Console
  private let session: AssistantSession
  private let failure: FirstFailure

  init(_ console: Console, _ stores: AssistantStores) {
    let failure = FirstFailure()
    self.console = console
    self.failure = failure
    session = AssistantSession(stores, tools: Tool.all(isReadOnly: stores.isReadOnly)) { message in
      failure.turn { try console.print(message.line) }
    }
  }

  func run() throws {
    DispatchQueue(label: "openwo.assistant.reading").async { [self] in
      read()
      OwnProcess.endWaitForSignal()
    }
    let number = OwnProcess.waitForEndSignal()
    if number != 0 || failure.error != nil {
      session.stop()
      session.waitForEnd(.seconds(5))
    }
    if let error = failure.error { throw error }
    // Any signal except Ctrl-C's means to end, as from a client that has waited.
    if number == OwnProcess.interrupt { throw EndedBySignal(number: number) }
  }

  /// Takes in all lines, and waits until they are answered.
  private func read() {
    var lines = LineReader(.standardInput, limit: AssistantSession.longestLine)
    do {
      while failure.error == nil, let line = try lines.next() {
        switch line {
        case .tooLong: session.refuseLongLine()
        case .whole(let bytes) where bytes.allSatisfy({ $0 <= 0x20 }): break
        case .whole(let bytes): session.receive(bytes)
        }
      }
      session.finish()
    } catch {
      failure.turn {
        throw StoreError(
          .io, "cannot read the assistant's messages: \(error)",
          hint: "see how it is called: openwo help mcp")
      }
    }
  }
}

/// Lets one thread at a time write, and keeps the first error.
private final class FirstFailure: Sendable {
  private let first = Mutex<(any Error)?>(nil)

  var error: (any Error)? { first.withLock { $0 } }

  func turn(_ body: () throws -> Void) {
    first.withLock { first in
      guard first == nil else { return }
      do {
        try body()
      } catch {
        first = error
        // Nobody listens any more.
        OwnProcess.endWaitForSignal()
      }
    }
  }
}
