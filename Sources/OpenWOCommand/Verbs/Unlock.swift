import OpenWO
import OpenWOFiles
import OpenWOHistory

extension Verb {
  static let unlock = Verb(
    name: "unlock", group: .lock, summary: "end the edit, keep it as a version, say what changed",
    options: [.discard, .force, .dryRun],
    details: """
      Checks the database, keeps the edit as one version, and lets the apps go on. Refuses
      while another program has it in a transaction, or when the edit left it damaged or with
      rows that point nowhere: then the lock stands, to mend it or to discard the edit.
      --dry-run says what has changed so far.
      """,
    examples: ["openwo unlock", "openwo unlock --discard", "openwo unlock --force 7f3a19c2"]
  ) { call in
    let request = UnlockRequest(
      discard: try call.isOn(.discard), force: call.text(.force), dryRun: try call.isOn(.dryRun))
    let report = try call.open().unlock(request)
    return Outcome(
      report: UnlockedReport(database: try call.database(), request: request, report: report))
  }
}

extension Option {
  fileprivate static let discard = Option(
    name: "discard", summary: "go back to the state before the lock")
  fileprivate static let force = Option(
    name: "force", value: "ID", summary: "end the lock of another device, or of one that is gone")
}
