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
      something changes, and runs until ^C. With --install-service it writes a user service for \
      systemd or launchd instead, which runs it from login on, and says how to start that.
      """,
    examples: [
      "openwo watch", "openwo watch Training/openwo.sqlite --json --poll 5",
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
    if try call.isOn(installService, "install-service") {
      return Outcome(report: try call.installService(polling: configuration.pollInterval))
    }
    // Before any thread starts: the signals are for this one.
    OwnProcess.holdEndSignals()
    let (store, events) = try SyncedDatabase.listening(
      at: try call.database().path, configuration: configuration)
    if configuration.pollInterval == nil, let reason = store.pollingReason {
      call.console.remark("openwo: looking once a second, no longer told of changes: \(reason)")
    }
    try Watching(call: call, store: store).run(events)
    return Outcome()
  }
}

/// One `watch`, until a signal or a reader that went away ends it.
private final class Watching: Sendable {
  let call: Invocation
  let store: SyncedDatabase
  private let failure = Mutex<(any Error)?>(nil)
  private let end = DispatchSemaphore(value: 0)

  init(call: Invocation, store: SyncedDatabase) {
    self.call = call
    self.store = store
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
    let number = OwnProcess.waitForEndSignal()
    try store.close()
    printing.cancel()
    end.wait()
    if let error = failure.withLock({ $0 }) { throw error }
    // Whoever sends another signal than Ctrl-C's wants it to end, as a service manager does; nothing went wrong.
    if number == OwnProcess.interrupt { throw EndedBySignal(number: number) }
  }

  private func tell(_ event: StoreEvent) throws {
    let now = Timestamp(milliseconds: SystemClock().now())
    try call.tell(EventReport(event: event, at: now))
  }
}
