import OpenWOHistory

extension Verb {
  static let version = Verb(
    name: "version", group: .care, summary: "say which openwo this is", takesDatabase: false
  ) { _ in
    Outcome(report: VersionReport())
  }
}

extension Option {
  static let version = Option(name: "version", summary: "say which openwo this is")
}

/// What `version` says.
struct VersionReport: Report {
  static let version = "0.1.0"

  var members: [JSONMember] { [JSONMember("version", .string(Self.version))] }

  func lines(_ style: Style) -> [String] { ["openwo \(Self.version)"] }
}
