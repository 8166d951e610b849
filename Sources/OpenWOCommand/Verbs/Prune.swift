import ArgumentParser
import OpenWO
import OpenWOHistory

/// `openwo prune`.
struct PruneVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove the versions that are kept no longer.",
    details: """
      This also happens by itself: then the last 100 versions are kept, and the first of each of
      the last 48 hours, 30 days, 26 weeks and 120 months that have any, in UTC. The --keep
      options replace all of these, once. Never removed are the newest version, pinned ones,
      what another device has or has not got yet, and what lost to another device or was undone
      by restore and is in no later version; nothing is while a version of the last week has not
      arrived as a whole. --dry-run lists what would go, and why the rest stays. What is removed
      cannot be restored.
      """,
    examples: [
      "openwo prune --dry-run", "openwo prune --keep-last 10 --keep-daily 14 --keep-monthly 12",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Keep the newest ones.", valueName: "count"))
  var keepLast: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep the first of so many days.", valueName: "count"))
  var keepDaily: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep the first of so many weeks.", valueName: "count"))
  var keepWeekly: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep the first of so many months.", valueName: "count"))
  var keepMonthly: Count?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    let report = try call.open().prune(dryRun: isDryRun, keeping: counts(call))
    return Outcome(
      report: PrunedReport(database: try call.database(), report: report, isDone: !isDryRun))
  }

  /// The counts to keep; nil if none were given.
  private func counts(_ call: Invocation) throws -> KeptCounts? {
    let given = [
      try call.count(keepLast, "keep-last"), try call.count(keepDaily, "keep-daily"),
      try call.count(keepWeekly, "keep-weekly"), try call.count(keepMonthly, "keep-monthly"),
    ]
    guard given.contains(where: { $0 != nil }) else { return nil }
    return KeptCounts(
      last: given[0] ?? 0, daily: given[1] ?? 0, weekly: given[2] ?? 0, monthly: given[3] ?? 0)
  }
}

/// The report of `prune`.
struct PrunedReport: Report {
  let database: DatabaseArgument
  let report: PruneReport
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember("removed", .array(report.removed.map { .id($0) })),
      JSONMember(
        "kept",
        .array(
          report.kept.map { kept in
            .object([
              JSONMember("version", .id(kept.version)), JSONMember("at", .time(kept.at)),
              JSONMember("reasons", .texts(kept.reasons)),
            ])
          })),
      JSONMember("files", .count(report.files)), JSONMember("bytes", .integer(report.bytes)),
      JSONMember("waits", .bool(report.waits)), JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    if report.waits {
      return [
        "nothing is removed now: a version of \(database.name) has not arrived as a whole, and may "
          + "rest on any of the others"
      ]
    }
    let why = isDone ? [] : reasons(style)
    guard !report.removed.isEmpty || report.files > 0 else {
      return ["nothing to remove: every version of \(database.name) is still kept"] + why
    }
    let versions = report.removed.count == 1 ? "1 version" : "\(report.removed.count) versions"
    return [
      "\(isDone ? "removed" : "would remove") \(versions) of \(database.name), "
        + Style.size(report.bytes)
    ] + (isDone ? [] : report.removed.map { "  \($0.short)" }) + why
  }

  private func reasons(_ style: Style) -> [String] {
    guard !report.kept.isEmpty else { return [] }
    var table = Table(["  stays", "of", "because"])
    for kept in report.kept {
      let words = kept.reasons.compactMap { Self.words[$0] }.joined(separator: ", ")
      table.add(["  \(kept.version.short)", style.local(kept.at), words])
    }
    return table.lines(style)
  }

  private static let words = [
    "live": "it is live", "newest": "it is the newest", "pinned": "it has a name",
    "unpublished": "it is not published yet", "unmerged": "its rows are in no later version",
    "device": "another device may need it", "last": "one of the last",
    "hourly": "first of its hour",
    "daily": "first of its day", "weekly": "first of its week", "monthly": "first of its month",
    "base": "others rest on it",
  ]
}
