import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The changes of a version, for a line of the history.
extension VersionSummary {
  /// About how many characters the tables and counts have at most.
  private static var width: Int { 30 }

  /// For people, such as `session +2 ~1, 3 more`.
  var text: String {
    switch self {
    case .counted(_, let changes, let schemaChanged):
      Self.text(changes, schemaChanged: schemaChanged)
    case .first: ""
    case .tooLarge: "too much to count"
    case .notYet: "…"
    case .unread: "?"
    }
  }

  private static func text(_ changes: [TableChange], schemaChanged: Bool) -> String {
    let parts = (schemaChanged ? ["layout"] : []) + changes.map(\.short)
    guard !parts.isEmpty else { return "no rows" }
    var text = parts[0].cut(to: width)
    for (place, part) in parts.enumerated().dropFirst() {
      let longer = "\(text), \(part)"
      guard longer.count <= width else { return "\(text), \(parts.count - place) more" }
      text = longer
    }
    return text
  }

  /// The members of the JSON of a version.
  static func members(_ summary: VersionSummary?) -> [JSONMember] {
    var (changes, schemaChanged) = (JSONValue.null, JSONValue.null)
    var uncounted: String?
    switch summary {
    case .counted(_, let found, let isChanged):
      changes = .array(found.map { .change($0) })
      schemaChanged = .bool(isChanged)
    case .first: uncounted = "first"
    case .tooLarge: uncounted = "tooLarge"
    case .notYet, nil: uncounted = "notYet"
    case .unread: uncounted = "unread"
    }
    return [
      JSONMember("changes", changes), JSONMember("schemaChanged", schemaChanged),
      JSONMember("uncounted", .text(uncounted)),
    ]
  }
}

extension TableChange {
  /// The table and its counts, such as `session +2 ~1 -3`.
  var short: String {
    let name = String(printable: table.utf8)
    if notCompared != nil { return "\(name) ?" }
    let counts = [(inserted, "+"), (updated, "~"), (deleted, "-")]
      .filter { $0.0 > 0 }.map { "\($0.1)\($0.0)" }
    return ([name] + counts).joined(separator: " ")
  }
}
