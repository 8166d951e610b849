import ArgumentParser
import OpenWO
import OpenWOHistory

/// `openwo doctor`.
struct DoctorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Look for what is wrong, or will go wrong.",
    details: """
      Changes nothing. Ends with 1 when something is found that has to be mended.
      """,
    examples: ["openwo doctor", "openwo doctor Training/openwo.sqlite --json"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let findings = try SyncedDatabase.examine(
      at: call.database().path, configuration: call.configuration())
    let isIll = findings.contains { $0.severity == .error }
    return Outcome(report: DoctorReport(findings: findings), exit: isIll ? ExitCode(1) : .done)
  }
}

/// What `doctor` says.
struct DoctorReport: Report {
  let findings: [Finding]

  var members: [JSONMember] { [JSONMember("findings", .array(findings.map(Self.json)))] }

  private static func json(_ finding: Finding) -> JSONValue {
    .object([
      JSONMember("code", .string(finding.code)),
      JSONMember("severity", .string(finding.severity.rawValue)),
      JSONMember("message", .string(finding.message)), JSONMember("hint", .text(finding.hint)),
    ])
  }

  func lines(_ style: Style) -> [String] {
    findings.flatMap { finding -> [String] in
      let line = "\(label(finding, style))  \(finding.message)"
      return [line] + (finding.hint.map { ["         \($0)"] } ?? [])
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
