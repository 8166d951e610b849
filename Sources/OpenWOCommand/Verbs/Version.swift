import ArgumentParser
import OpenWOHistory
import OpenWOSQLite

/// `openwo version`.
struct VersionVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "version", abstract: "Say which openwo this is.",
    usage: "[<options>]"
  )

  var database: String? { nil }

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    Outcome(report: VersionReport())
  }
}

/// The report of `version`.
struct VersionReport: Report {
  static let version = "0.1.0"

  var members: [JSONMember] {
    [
      JSONMember("version", .string(Self.version)),
      JSONMember("sqlite", .string(SQLiteLibrary.version)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    ["openwo \(Self.version), with SQLite \(SQLiteLibrary.version)"]
  }
}
