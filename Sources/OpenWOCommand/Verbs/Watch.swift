import ArgumentParser
import Dispatch
import OpenWO
import OpenWOFiles
import OpenWOHistory
import Synchronization

/// `openwo watch`.
struct WatchVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Keep the database up to date, and tell what happens.",
    details: """
      Takes over what other devices send, publishes what other programs write here, lets go for
      locks, and prints a line for each event, with --json an object a line. It sleeps until
      something changes, and runs until ^C. With --on-event a shell runs a command for each event,
      one after the other, which finds the event in OPENWO_EVENT, its JSON in OPENWO_EVENT_JSON,
      and the database in OPENWO_DB. With --install-service it writes a user service for \
      systemd or launchd instead, which runs it from login on, and says how to start that.
      """,
    examples: [
      "openwo watch", "openwo watch Training/openwo.sqlite --json --poll 5",
      "openwo watch --on-event 'notify-send \"$OPENWO_EVENT\"'",
      "openwo watch Training/openwo.sqlite --install-service",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Look so often instead of waiting to be told, for network folders.", valueName: "seconds"))
  var poll: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Run this in a shell for each event.", valueName: "command"))
  var onEvent: String?

  @Flag(help: "Write a service that watches this database, and start nothing.")
  var installService = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    var configuration = call.configuration()
    configuration.monitors = true
    if let seconds = try call.count(poll, "poll") {
      guard seconds > 0 else {
        throw StoreError.usage(
          "--poll must be at least 1", hint: "look once a second: openwo watch --poll 1")
      }
      configuration.pollInterval = .seconds(seconds)
    }
    let hook = try call.text(onEvent, "on-event")
    // The hook may report to somebody elsewhere, so use full paths.
    if hook != nil { configuration.databaseName = nil }
    if try call.isOn(installService, "install-service") {
      return Outcome(
        report: try call.installService(polling: configuration.pollInterval, onEvent: hook))
    }
    // Before any thread starts: the signals are for this one.
    OwnProcess.holdEndSignals()
    let (store, events) = try SyncedDatabase.listening(
      at: try call.database().path, configuration: configuration)
    if configuration.pollInterval == nil, let reason = store.pollingReason {
      call.console.remark("openwo: looking once a second, no longer told of changes: \(reason)")
    }
    try Watching(call: call, store: store, hook: hook).run(events)
    return Outcome()
  }
}

/// One `watch`, until a signal or a reader that went away ends it.
private final class Watching: Sendable {
  let call: Invocation
  let store: SyncedDatabase
  /// The shell command for each event.
  let hook: String?
  private let failure = Mutex<(any Error)?>(nil)
  private let end = DispatchSemaphore(value: 0)

  init(call: Invocation, store: SyncedDatabase, hook: String?) {
    self.call = call
    self.store = store
    self.hook = hook
  }

  func run(_ events: AsyncStream<StoreEvent>) throws {
    let printing = Task.detached { [self] in
      do {
        for await event in events { try tell(event) }
      } catch {
        failure.withLock { $0 = error }
        // Nobody listens any more: ends the wait below.
        OwnProcess.endWaitForSignal()
      }
      end.signal()
    }
    let console = call.console
    if !call.isJSON, !call.isQuiet {
      let now = Timestamp(milliseconds: SystemClock().now())
      try console.print("\(console.outputStyle.second(now))  watching \(call.database().name)")
    }
    // There is no notification of earlier writes.
    _ = try? store.didBecomeActive()
    let number = OwnProcess.waitForEndSignal()
    try store.close()
    printing.cancel()
    // A command of --on-event that does not end is left behind.
    if hook == nil { end.wait() } else { _ = end.wait(timeout: .now() + .seconds(2)) }
    if let error = failure.withLock({ $0 }) { throw error }
    // Any signal except Ctrl-C's means to end, as from a service manager; that is not an error.
    if number == OwnProcess.interrupt { throw EndedBySignal(number: number) }
  }

  private func tell(_ event: StoreEvent) throws {
    let now = Timestamp(milliseconds: SystemClock().now())
    let report = EventReport(event: event, at: now)
    try call.tell(report)
    if let hook { try run(hook, report) }
  }

  /// Runs the command of `--on-event`; a failure is reported and stops nothing.
  private func run(_ hook: String, _ report: EventReport) throws {
    let database = try call.database().resolved
    let document = report.document(command: call.verb, database: database.jsonText)
    let variables = [
      "OPENWO_EVENT=\(report.name)", "OPENWO_EVENT_JSON=\(document)",
    ].map { Array($0.utf8) }
    let words =
      [Array("env".utf8)] + variables + [Array("OPENWO_DB=".utf8) + database.bytes]
      + ["sh", "-c", hook].map { Array($0.utf8) }
    let why: String
    do {
      let end = try runChild(words: words)
      if end == .exited(0) { return }
      why = end.sentence
    } catch {
      why = error.message
    }
    call.console.remark("openwo: the command of --on-event failed: \(why)")
  }
}
