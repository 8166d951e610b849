import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The report of `unlock` and `edit`.
struct UnlockedReport: Report {
  let database: DatabaseArgument
  let request: UnlockRequest
  let report: UnlockReport
  /// The status that the program of an `edit` ended with.
  var programStatus: Int32?

  var members: [JSONMember] {
    let members = [
      JSONMember("version", .id(report.version)), JSONMember("discarded", .id(report.discarded)),
      JSONMember("passedOver", .id(report.passedOver)),
      JSONMember("previous", .id(report.lock.head)),
      JSONMember("changes", .array(report.changes.map { .change($0) })),
      JSONMember("schemaChanged", .bool(report.schemaChanged)),
      JSONMember("foldedWAL", .bool(report.foldedWAL)),
      JSONMember("quarantined", .text(report.quarantined?.id)),
      JSONMember("findings", .texts(report.findings)), JSONMember("lock", .lock(report.lock)),
      JSONMember("dryRun", .bool(request.dryRun)),
    ]
    guard let programStatus else { return members }
    return members + [JSONMember("status", .integer(Int64(programStatus)))]
  }

  func lines(_ style: Style) -> [String] {
    if request.dryRun { return plan() }
    if isForced, report.version == nil { return ended() }
    var lines = ["unlocked \(database.name): \(outcome)"] + changes
    if report.foldedWAL {
      let rest = report.passedOver.map { "what it was without its log is version \($0.short)" }
      lines.append(
        "the database was in WAL mode; it is a single file again, \(rest ?? "no row was lost")")
    }
    if report.schemaChanged {
      lines.append(style.yellow("the layout of its tables was changed; the app may not know it"))
    }
    lines += report.findings.map { style.yellow("note: \(String(printable: $0.utf8))") }
    return lines + (undo.map { ["undo: \($0)"] } ?? [])
  }

  /// Whether it was asked for by the lock's id, or the beginning of that.
  private var isForced: Bool { request.force.map(report.lock.id.hasPrefix) ?? false }

  private var outcome: String {
    if let version = report.version { return "the edit is version \(version.short)" }
    if let discarded = report.discarded {
      let how = request.discard ? "was discarded" : "was undone by a journal beside the database"
      return "the edit \(how); it is kept as version \(discarded.short)"
    }
    if let kept = report.quarantined { return "the edit was damaged; it is kept as \(kept.id)" }
    return request.discard && report.lock.head != nil ? "the edit was discarded" : "no changes"
  }

  private var changes: [String] {
    LabelledRows.lines(
      report.changes.map { change in
        let counts = RowCounts(
          inserted: change.inserted, updated: change.updated, deleted: change.deleted)
        let reason = change.notCompared.map { "not compared: \(String(printable: $0.utf8))" }
        return (String(printable: change.table.utf8), reason ?? counts.text)
      })
  }

  private var undo: String? {
    if let kept = report.quarantined {
      return database.command("recover", kept.id, "-o", "FILE")
    }
    if let discarded = report.discarded { return database.command("restore", discarded.short) }
    guard report.version != nil, let before = report.lock.head else { return nil }
    return database.command("restore", before.short)
  }

  private func ended() -> [String] {
    [
      "ended the lock \(report.lock.id) of \(report.lock.holder)",
      "what was edited there becomes a version",
      "next: \(database.command("sync"))",
    ]
  }

  private func plan() -> [String] {
    if isForced { return ["would end the lock of \(report.lock.holder)"] }
    if report.foldedWAL {
      return ["would unlock \(database.name) and bring it back from WAL mode to a single file"]
    }
    guard !report.changes.isEmpty || report.schemaChanged else {
      return ["would unlock \(database.name): no rows changed so far"]
    }
    return [
      "would unlock \(database.name) and \(request.discard ? "discard" : "keep") these changes"
    ] + changes
  }
}
