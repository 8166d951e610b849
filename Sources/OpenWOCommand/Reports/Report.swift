import OpenWO
import OpenWOHistory

/// The report of a verb: its text and its JSON come from the same value.
protocol Report {
  /// The members of the JSON document besides `schema`, `command` and `database`.
  var members: [JSONMember] { get }
  /// The path of the database, if it cannot be found out any more; nil: as the call names it.
  var databasePath: String? { get }
  /// The lines for people.
  func lines(_ style: Style) -> [String]
}

extension Report {
  var databasePath: String? { nil }

  /// The one JSON document, on one line.
  func document(command: String, database: String?) -> String {
    let head = [
      JSONMember("schema", .string("openwo/1")), JSONMember("command", .string(command)),
      JSONMember("database", .text(database)),
    ]
    return JSONValue.object(head + members).line
  }
}
