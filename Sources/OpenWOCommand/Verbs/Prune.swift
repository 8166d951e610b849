import ArgumentParser
import OpenWO
import OpenWOHistory

/// `openwo prune`.
struct PruneVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove the versions that are kept no longer.",
    details: """
      This also happens by itself. The newest version, what another device has or has not got
      yet, and what lost to another device or was undone by restore and is in no later
      version are never removed; nothing is while a version of the last week has not
      arrived as a whole. What is removed cannot be restored.
      """,
    examples: ["openwo prune --dry-run", "openwo prune Training/openwo.sqlite"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    let report = try call.open().prune(dryRun: isDryRun)
    return Outcome(
      report: PrunedReport(database: try call.database(), report: report, isDone: !isDryRun))
  }
}

/// What `prune` says.
struct PrunedReport: Report {
  let database: DatabaseArgument
  let report: PruneReport
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember("removed", .array(report.removed.map { .id($0) })),
      JSONMember("files", .count(report.files)), JSONMember("bytes", .integer(report.bytes)),
      JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard !report.removed.isEmpty || report.files > 0 else {
      return ["nothing to remove: every version of \(database.name) is still kept"]
    }
    let versions = report.removed.count == 1 ? "1 version" : "\(report.removed.count) versions"
    return [
      "\(isDone ? "removed" : "would remove") \(versions) of \(database.name), "
        + Style.size(report.bytes)
    ]
  }
}
