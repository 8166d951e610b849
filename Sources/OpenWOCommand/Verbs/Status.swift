import OpenWO

extension Verb {
  static let status = Verb(
    name: "status", group: .everyday, summary: "say how the database stands",
    options: [.check],
    details: """
      Says whether the database is up to date, who has it locked, when it was saved here, and
      which devices have seen it. Changes nothing. With --check it ends with 3 unless the
      database is up to date.
      """,
    examples: ["openwo status", "openwo status Training/openwo.sqlite --json"]
  ) { call in
    let store = try call.open()
    let status = try store.status()
    let report = StatusReport(
      database: try call.database(), status: status, lock: try store.lockReport())
    let isAnswerNo = try call.isOn(.check) && status.state != .synced
    return Outcome(report: report, exit: isAnswerNo ? .no : .done)
  }
}
