import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import Synchronization

/// `openwo lock`.
struct LockVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Take the database for editing with any program.",
    details: """
      Every app on this machine lets go of the database before this returns; apps on other
      devices let go when they see the lock, and the answer says which have. The lock lasts
      until it is unlocked, or until its time is over.
      """,
    examples: [
      "openwo lock --note 'fixing exercise names'",
      "openwo lock Training/openwo.sqlite --for 2h --wait 30s",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup
  var lockOptions: LockOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional,
    help: ArgumentHelp("Let the lock end by itself, say after 2h.", valueName: "time"))
  var duration: Span?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let database = try call.database()
    let request = LockRequest(
      note: try call.text(lockOptions.note, "note"), duration: try call.duration(duration, "for"),
      waitingUpTo: try call.duration(lockOptions.wait, "wait"), outlivesProcess: true,
      program: "openwo lock")
    guard request.duration != .zero else {
      throw StoreError.usage(
        "a lock --for no time would end at once; nothing was locked",
        hint: "say for how long: openwo lock --for 2h")
    }
    if try call.isOn(dryRunOption.dryRun, "dry-run") {
      let others = try call.open().planLock()
      return Outcome(report: LockedReport(database: database, taken: nil, asked: others))
    }
    let store = try call.openInterruptibly()
    call.sayWaiting(request.waitingUpTo)
    let report = try store.lockUnlessInterrupted(request)
    return Outcome(report: LockedReport(database: database, taken: report, path: store.path))
  }
}

/// Waits that ^C ends, after everything is released.
extension Invocation {
  /// Tells a person at a terminal why the command waits.
  func sayWaiting(_ wait: Duration?) {
    guard let wait, console.isInteractive, !isQuiet else { return }
    let span = Style.span(wait.components.seconds)
    console.remark("openwo: waiting up to \(span) for other devices to let go; ^C gives up")
  }

  /// Opens the store so that signals which ask for the end are remembered, and end every wait.
  func openInterruptibly() throws -> SyncedDatabase {
    OwnProcess.catchEndSignals()
    var configuration = configuration()
    configuration.clock = InterruptibleClock()
    return try SyncedDatabase(at: database().path, configuration: configuration)
  }
}

extension SyncedDatabase {
  /// Takes the lock; gives it back when a signal asks for the end meanwhile.
  func lockUnlessInterrupted(_ request: LockRequest) throws -> LockReport {
    let report: LockReport
    do {
      report = try lock(request)
    } catch {
      if let number = OwnProcess.caughtSignal { throw EndedBySignal(number: number) }
      throw error
    }
    if let number = OwnProcess.caughtSignal {
      _ = try unlock()
      throw EndedBySignal(number: number)
    }
    return report
  }
}

/// The machine's clocks until a signal to end: from then on each reading advances an hour, so every
/// wait ends.
private final class InterruptibleClock: StoreClock {
  private let system = SystemClock()
  private let skipped = Atomic<Int64>(0)

  func now() -> Int64 { system.now() }

  func monotonic() -> Int64 {
    if OwnProcess.caughtSignal != nil { skipped.add(3_600_000_000_000, ordering: .relaxed) }
    return system.monotonic() + skipped.load(ordering: .relaxed)
  }

  func sleep(nanoseconds: Int64) {
    if OwnProcess.caughtSignal == nil { system.sleep(nanoseconds: nanoseconds) }
  }
}
