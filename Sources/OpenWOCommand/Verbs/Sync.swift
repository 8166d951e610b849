import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// `openwo sync`.
struct SyncVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Look at the folder and bring the database up to date.",
    details: """
      Captures what other programs wrote, takes over what other devices sent, makes one
      of the versions of all sides, and publishes what waits. What is overwritten is a version first.
      Ends with 0 only if it could look at everything and nothing waits. A database that
      another device may have sent is captured when it has been still for two seconds; with
      --committed, what a program wrote on this device is captured at once.
      """,
    examples: [
      "openwo sync", "openwo sync --dry-run Training/openwo.sqlite",
      "openwo sync --committed Training/openwo.sqlite",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Flag(name: .customLong("committed"), help: "For apps: the caller has just committed to it.")
  var isCommitted = false

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    var configuration = call.configuration()
    configuration.policy.isCommitted = try call.isOn(isCommitted, "committed")
    let store = try SyncedDatabase(at: call.database().path, configuration: configuration)
    let report = try call.withProgress("looking at the folder", reading: 8) { _ in
      try store.reconcile(dryRun: isDryRun)
    }
    let setsAside = report.actions.contains {
      $0.kind == "settle" || $0.kind == "capture" && $0.reason != nil
    }
    let said = SyncReport(
      database: try call.database(), report: report, writer: try writer(report, store),
      setAside: setsAside && !isDryRun ? try store.status().setAside : [], isDone: !isDryRun)
    return Outcome(report: said, complaint: said.complaint)
  }

  /// Whose version was taken over; nil if none was, or no other device made it by itself.
  private func writer(_ report: ReconcileReport, _ store: SyncedDatabase) throws -> String? {
    guard let id = report.actions.last(where: { $0.kind == "adopt" })?.version,
      let version = try store.history().first(where: { $0.version.id == id })?.version,
      ![.merge, .settle].contains(version.reason), version.device != (try store.status().device.id)
    else { return nil }
    return version.deviceName
  }
}

/// The report of `sync`.
struct SyncReport: Report {
  let database: DatabaseArgument
  let report: ReconcileReport
  /// The name of the device whose version was taken over.
  let writer: String?
  /// The sides that lost to a later writer, now or earlier, and that nobody has looked at.
  let setAside: [SetAside]
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember("actions", .array(report.actions.map(Self.json))),
      JSONMember("head", .id(report.head)), JSONMember("dryRun", .bool(!isDone)),
      JSONMember("quarantined", .array(report.quarantined.map { .quarantined($0) })),
      JSONMember("setAside", .array(setAside.map { .setAside($0) })),
      JSONMember("atRest", .bool(isUpToDate)),
      JSONMember("next", .text(next)),
    ]
  }

  private static func json(_ step: ReconcileReport.Step) -> JSONValue {
    .object([
      JSONMember("kind", .string(step.kind)), JSONMember("version", .id(step.version)),
      JSONMember("path", .text(step.path)), JSONMember("reason", .text(step.reason)),
      JSONMember("until", .time(step.until)),
    ])
  }

  func lines(_ style: Style) -> [String] {
    let steps = report.actions.map { sentence($0, style) }
    let kept = report.quarantined.flatMap { self.kept($0, style) }
    return switch report.outcome {
    case .planned: ["would do this:"] + steps.map { "  \($0)" }
    case .unsettled: steps + kept
    case .upToDate(let proof): steps + kept + [sentence(proof)] + aside(style)
    }
  }

  /// The error about damage, or why the database is not up to date, so that the run does not look
  /// like a success.
  var complaint: StoreError? { damage ?? unsettled }

  private var damage: StoreError? {
    guard let file = report.quarantined.last else { return nil }
    let version = report.head.map { "version \($0.short) is live" } ?? "no version is live"
    return StoreError(
      .damaged,
      "\(database.name) was damaged; it is kept as \(file.id), and \(version)",
      hint: "write out what can be read of it: "
        + database.command("recover", file.id, "-o", "FILE"))
  }

  private func aside(_ style: Style) -> [String] {
    setAside.map { "set aside \($0.version.short) \($0.sentence(style))" }
      + (setAside.merge(database).map { ["next: \($0)"] } ?? [])
  }

  private var next: String? {
    complaint.map { NextCommand.of($0.hint) } ?? setAside.merge(database)
  }

  private func kept(_ file: QuarantinedFile, _ style: Style) -> [String] {
    let kind = file.looksEncrypted ? ", perhaps encrypted" : ""
    return [
      style.yellow("kept what was damaged as \(file.id) (\(Style.size(file.bytes))\(kind))"),
      "  write out what can be read of it: "
        + database.command("recover", file.id, "-o", "FILE"),
    ]
  }

  private func sentence(_ proof: SyncOutcome.Proof) -> String {
    let head = proof.head.map { ", version \($0.short)" } ?? ""
    guard let lock = proof.lock else {
      return "\(database.name) is up to date\(head)"
    }
    let holder = proof.isOwnLock ? "on this device" : "by \(lock.holder)"
    return "\(database.name) is up to date\(head), and locked for editing \(holder)"
  }

  private var isUpToDate: Bool {
    if case .upToDate = report.outcome { true } else { false }
  }

  private var unsettled: StoreError? {
    if case .unsettled(let error) = report.outcome { error } else { nil }
  }

  private var origin: String {
    writer.map { " from \(String(printable: $0.utf8))" } ?? ", which came from elsewhere"
  }

  private func sentence(_ step: ReconcileReport.Step, _ style: Style) -> String {
    let version = step.version.map { "version \($0.short)" } ?? "the versions of all sides"
    let object = step.path ?? database.name
    let why = step.reason.map { String(printable: $0.utf8) } ?? ""
    return switch step.kind {
    case "publish": isDone ? "the change is ready to sync" : "make the change ready to sync"
    case "capture":
      say("capture", "captured", "\(object) as a version")
        + (why.isEmpty ? "" : ", set aside: \(why)")
    case "note": say("recognise", "recognised", "\(object) as \(version)")
    case "settle":
      say(
        "settle", "settled",
        "the versions of all sides: the last writer wins" + (why.isEmpty ? "" : ", as \(why)"))
    case "join": say("join", "joined", "what two devices had begun apart, row by row")
    case "keepStore":
      say("write", "wrote", "store.json again, as the store that began first has it")
    case "merge": say("merge", "merged", "the versions of all sides, row by row")
    case "adopt": say("update", "updated", "\(object) to \(version)\(origin)")
    case "repair": say("put back", "put back", "\(object) as \(version): \(why)")
    case "remove" where object.hasSuffix(".json"):
      say("remove", "removed", "\(object), a copy of store.json")
    case "remove": say("remove", "removed", "\(object); its content is kept as a version")
    case "acknowledge": say("let go", "let go", "for the lock \(why)")
    case "fold": say("bring", "brought", "\(object) back from WAL mode to a single file")
    case "putBack":
      say("put back", "put back", "versions that were gone from the folder of \(database.name)")
    case "store": say("store", "stored", "\(version) in full, as what it rests on is not here")
    case "setAside": say("put away", "put away", "\(object), which an interrupted openwo left")
    case "wait": say("wait", "waits", "until \(step.until.map(style.clock) ?? "later"): \(why)")
    default: step.kind
    }
  }

  /// A step as a plan, or as what was done.
  private func say(_ plan: String, _ done: String, _ object: String) -> String {
    "\(isDone ? done : plan) \(object)"
  }
}
