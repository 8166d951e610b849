import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo leave`.
struct LeaveVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "End the use of openwo for a database.",
    details: """
      The database is an ordinary SQLite file, and stays where it is. What this device remembers
      of it is removed; the versions stay in the folder beside it, unless --remove-versions is
      given. Refuses while somebody has the lock, and while a conflict or a damaged file is kept
      that would be lost or forgotten.
      """,
    examples: ["openwo leave --dry-run", "openwo leave Training/openwo.sqlite --remove-versions"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Flag(help: "Remove the folder with the versions, too; there is no way back.")
  var removeVersions = false

  @Flag(help: "Leave behind what is not merged, and what is damaged.")
  var evenUnmerged = false

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    // The working folder may have no store after this.
    let database = try call.database()
    let store = try call.open()
    let report = try store.leave(
      removingVersions: try call.isOn(removeVersions, "remove-versions"),
      evenUnmerged: try call.isOn(evenUnmerged, "even-unmerged"), dryRun: isDryRun)
    return Outcome(
      report: LeftReport(
        database: database, path: store.path, report: report, isDone: !isDryRun))
  }
}

/// The report of `leave`.
struct LeftReport: Report {
  let database: DatabaseArgument
  let path: FilePath
  let report: LeaveReport
  let isDone: Bool

  var databasePath: String? { path.jsonText }

  var members: [JSONMember] {
    [
      JSONMember("head", .id(report.head)), JSONMember("versions", .count(report.versions)),
      JSONMember("bytes", .integer(report.bytes)),
      JSONMember("versionsRemoved", .bool(report.isCompanionRemoved)),
      JSONMember("foreign", .texts(report.foreign)), JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let count = report.versions == 1 ? "1 version" : "\(report.versions) versions"
    let versions = "\(database.name).openwo, \(count), \(Style.size(report.bytes))"
    var rows = [("database", "\(path.printable), an ordinary SQLite file")]
    let removed = isDone ? "removed" : "would be removed"
    rows.append(("versions", report.isCompanionRemoved ? "\(versions): \(removed)" : versions))
    rows.append(("this device", "\(isDone ? "remembers" : "would remember") nothing of it"))
    rows += report.foreign.map { ("left there", "\($0), which is not openwo's") }
    let head = isDone ? "left \(database.name)" : "would leave \(database.name)"
    guard isDone, !report.isCompanionRemoved else { return [head] + LabelledRows.lines(rows) }
    return [head] + LabelledRows.lines(rows)
      + [
        "to use it again: \(database.command("sync"))",
        "to remove the versions, too: \(database.command("leave", "--remove-versions"))",
      ]
  }
}
