import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// `openwo doctor`.
struct DoctorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Look for what is wrong, or will go wrong.",
    details: """
      Changes nothing, unless --repair is given: that does what is safe, which is to add files
      or to rewrite openwo's own. It never touches the database. Ends with 1 if something is
      found that has to be mended, and with --check with 3 if there is a warning. --restore-all
      proves that versions can be restored, by restoring each of them into a private file.
      """,
    examples: [
      "openwo doctor", "openwo doctor --repair --dry-run", "openwo doctor --check --quiet",
      "openwo doctor --restore-all --sample 20",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Flag(help: "Do what is safe, and say what that was.")
  var repair = false

  @Flag(help: "Restore each version, and say which cannot be.")
  var restoreAll = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --restore-all: only so many, chosen by chance.", valueName: "count"))
  var sample: Count?

  @OptionGroup
  var checkOption: CheckOption

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let (database, configuration) = (try call.database(), call.configuration())
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    try refuseWhatDoesNotGoTogether(call)
    if try call.isOn(repair, "repair") {
      let done = try SyncedDatabase.repair(
        at: database.path, configuration: configuration, dryRun: isDryRun)
      return Outcome(report: RepairReport(database: database, repairs: done, isDone: !isDryRun))
    }
    if try call.isOn(restoreAll, "restore-all") {
      let sample = try call.count(sample, "sample")
      let findings = try call.withProgress("restoring") { tell in
        try SyncedDatabase.restoreAll(
          at: database.path, configuration: configuration, sample: sample, telling: tell)
      }
      let isIll = findings.contains { $0.severity == .error }
      return Outcome(
        report: DoctorReport(database: database, findings: findings, repair: nil),
        exit: isIll ? .failed : .done)
    }
    let findings = try SyncedDatabase.examine(at: database.path, configuration: configuration)
    let repairs =
      (try? SyncedDatabase.repair(
        at: database.path, configuration: configuration, dryRun: true)) ?? []
    let report = DoctorReport(
      database: database, findings: findings,
      repair: repairs.isEmpty ? nil : database.command("doctor", "--repair"))
    if findings.contains(where: { $0.severity == .error }) {
      return Outcome(report: report, exit: .failed)
    }
    let isAnswerNo =
      try call.isOn(checkOption.check, "check")
      && findings.contains { $0.severity == .warning }
    return Outcome(report: report, exit: isAnswerNo ? .no : .done)
  }

  private func refuseWhatDoesNotGoTogether(_ call: Invocation) throws {
    let repairs = try call.isOn(repair, "repair")
    let restores = try call.isOn(restoreAll, "restore-all")
    let words =
      if repairs && restores {
        "--repair and --restore-all do not go together"
      } else if sample != nil && !restores {
        "--sample goes with --restore-all"
      } else {
        nil as String?
      }
    guard let words else { return }
    throw StoreError.usage(
      "\(words); nothing was done", hint: "see how it is called: openwo help doctor")
  }
}

/// The report of `doctor`.
struct DoctorReport: Report {
  let database: DatabaseArgument
  let findings: [Finding]
  /// The command that does what is safe; nil if there is nothing to do.
  let repair: String?

  var members: [JSONMember] {
    [
      JSONMember("findings", .array(findings.map(Self.json))), JSONMember("next", .text(next)),
    ]
  }

  private static func json(_ finding: Finding) -> JSONValue {
    .object([
      JSONMember("code", .string(finding.code)),
      JSONMember("severity", .string(finding.severity.rawValue)),
      JSONMember("message", .string(finding.message)), JSONMember("hint", .text(finding.hint)),
      JSONMember("next", .text(NextCommand.of(finding.hint))),
    ])
  }

  func lines(_ style: Style) -> [String] {
    findings.flatMap { finding -> [String] in
      let blank = String(repeating: " ", count: 9)
      var lines = style.prose(style.localTimes(finding.message), after: blank)
      lines[0] = "\(label(finding, style))  \(lines[0].dropFirst(9))"
      return lines + (finding.hint.map { style.way($0, after: blank) } ?? [])
    } + (next.map { ["next: \($0)"] } ?? [])
  }

  /// Findings whose commands only look, or are for a person to choose.
  private static let unhurried: Set = [
    "foreignFile", "travel", "networkFileSystem", "space", "clock", "content", "quarantine",
  ]

  /// The one command to run next: first for what is broken, then for what is safe, then for what
  /// else waits.
  private var next: String? {
    let broken = findings.filter { $0.severity == .error }.compactMap { NextCommand.of($0.hint) }
    let waiting = findings.filter {
      $0.severity == .warning && !Self.unhurried.contains($0.code)
    }.compactMap { NextCommand.of($0.hint) }
    return (broken + [repair].compactMap(\.self) + waiting).first {
      $0 != database.command("doctor")
    }
  }

  private func label(_ finding: Finding, _ style: Style) -> String {
    switch finding.severity {
    case .ok: style.green("ok     ")
    case .info: "note   "
    case .warning: style.yellow("warning")
    case .error: style.red("error  ")
    }
  }
}

/// The report of `doctor --repair`.
struct RepairReport: Report {
  let database: DatabaseArgument
  let repairs: [Repair]
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember(
        "repairs",
        .array(
          repairs.map { repair in
            .object([
              JSONMember("code", .string(repair.code)),
              JSONMember("message", .string(repair.message)),
              JSONMember("path", .string(repair.path)),
            ])
          })),
      JSONMember("dryRun", .bool(!isDone)), JSONMember("next", .text(next)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard !repairs.isEmpty else {
      return ["nothing of openwo's own is to be repaired", "next: \(next)"]
    }
    return [isDone ? "repaired, without touching \(database.name):" : "would do this:"]
      + repairs.map { "  \($0.message)" } + ["next: \(next)"]
  }

  private var next: String {
    isDone || repairs.isEmpty ? database.command("status") : database.command("doctor", "--repair")
  }
}
