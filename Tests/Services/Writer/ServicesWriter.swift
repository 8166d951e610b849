import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// An app as the service tests need one: opens the store as any app does, and writes when it is told to.
@main
enum ServicesWriter {
  static func main() throws {
    let arguments = try Arguments(CommandLine.arguments)
    switch arguments.verb {
    case "write":
      try Writer(arguments).run()
    case "init":
      _ = try SyncedDatabase.initialize(path: arguments.database, configuration: configuration())
    case "lock":
      try lock(arguments.database)
    case "unlock":
      try unlock(arguments.database)
    case "reconcile":
      let store = try open(arguments.database)
      _ = try store.reconcile()
      try store.close()
    case "prune":
      try prune(arguments.database)
    case "export":
      try export(arguments.database, to: arguments.text("--into"))
    default:
      throw Arguments.Misused(description: "no verb \(arguments.verb)")
    }
  }

  /// The defaults, on a device whose clock is as many seconds ahead as `OPENWO_WRITER_AHEAD` says.
  static func configuration() -> Configuration {
    var configuration = Configuration()
    let ahead = String(decoding: OwnProcess.variable("OPENWO_WRITER_AHEAD") ?? [], as: UTF8.self)
    configuration.clock = ClockAhead(milliseconds: (Int64(ahead) ?? 0) * 1000)
    return configuration
  }

  /// Opens the store as a command does: without a thread in the background.
  private static func open(
    _ database: String, retention: Retention = .standard
  ) throws -> SyncedDatabase {
    var configuration = configuration()
    configuration.monitors = false
    configuration.retention = retention
    return try SyncedDatabase(path: database, configuration: configuration)
  }

  private static func lock(_ database: String) throws {
    let store = try open(database)
    let request = LockRequest(
      note: "an edit by hand", waitingUpTo: .seconds(20), outlivesProcess: true)
    let report = try store.lock(request)
    try say("locked \(report.lock.id)")
  }

  private static func unlock(_ database: String) throws {
    let store = try open(database)
    do {
      let report = try store.unlock()
      try say("unlocked \(report.version?.description ?? "unchanged")")
    } catch let error as StoreError where error.code == .lockLost {
      try say("lockLost \(error.version?.description ?? "nothing")")
    } catch let error as StoreError where error.code == .damaged {
      // A service has written over the edit; the person does what the message says.
      _ = try store.unlock(UnlockRequest(discard: true))
      try say("discarded")
    }
  }

  /// Removes every version that may go.
  private static func prune(_ database: String) throws {
    let store = try open(database, retention: Retention(last: 1))
    _ = try store.prune()
    try store.close()
  }

  /// Writes every listed version to a file named by its id, and one line about each; each next one
  /// after a command.
  private static func export(_ database: String, to folder: String) throws {
    let store = try open(database)
    for entry in try store.history() {
      let id = entry.version.id
      try store.export(id, to: "\(folder)/\(id).sqlite")
      try say("\(id)")
      guard readLine() != nil else { break }
    }
    try store.close()
  }

  /// Prints a line at once, so that what was said before a kill is known.
  static func say(_ line: String) throws {
    _ = try FileDescriptor.standardOutput.writeAll(Array("\(line)\n".utf8))
  }
}

/// A wall clock that was set wrong.
private struct ClockAhead: StoreClock {
  let milliseconds: Int64

  func now() -> Int64 { SystemClock().now() + milliseconds }
  func monotonic() -> Int64 { SystemClock().monotonic() }
  func sleep(nanoseconds: Int64) { SystemClock().sleep(nanoseconds: nanoseconds) }
}
