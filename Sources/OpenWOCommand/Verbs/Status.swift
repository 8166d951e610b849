import ArgumentParser
import OpenWO

/// `openwo status`.
struct StatusVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how the database stands.",
    details: """
      Says whether the database is up to date, who has it locked, when it was saved here, and
      which devices have seen it. Changes nothing. With --check it ends with 3 unless the
      database is up to date.
      """,
    examples: ["openwo status", "openwo status Training/openwo.sqlite --json"]
  )

  @Argument(help: .database)
  var database: String?

  @OptionGroup
  var checkOption: CheckOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let store = try call.open()
    let status = try store.status()
    let report = StatusReport(
      database: try call.database(), status: status, lock: try store.lockReport())
    let isAnswerNo = try call.isOn(checkOption.check, "check") && status.state != .synced
    return Outcome(report: report, exit: isAnswerNo ? .no : .done)
  }
}
