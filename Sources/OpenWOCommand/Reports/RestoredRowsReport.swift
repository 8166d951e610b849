import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The report of `restore --table` and `restore --row`.
struct RestoredRowsReport: Report {
  let database: DatabaseArgument
  let rows: RowsRequest
  let report: RowsRestoreReport
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember("version", .id(report.version)), JSONMember("restored", .id(report.restored)),
      JSONMember("previous", .id(report.previous)),
      JSONMember("changes", .array([.change(report.change)])),
      JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let source = "version \(report.restored.short)"
    let change = report.change
    let counts = RowCounts(
      inserted: change.inserted, updated: change.updated, deleted: change.deleted)
    guard change.inserted + change.updated + change.deleted > 0 else {
      return ["\(rows.label) is as in \(source) already"]
    }
    guard let version = report.version else {
      return ["would restore \(rows.label) from \(source): \(counts.text)"]
    }
    return [
      "restored \(rows.label) from \(source), as version \(version.short): \(counts.text)",
      "undo: \(database.command("restore", report.previous.short))",
    ]
  }
}
