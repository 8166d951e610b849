import OpenWOHistory

/// One member of what a tool takes or gives, in JSON Schema 2020-12.
struct ToolParameter: Sendable {
  let name: String
  let kind: JSONValue
  let summary: String
  var isRequired = false

  init(_ name: String, _ kind: JSONValue, _ summary: String = "", isRequired: Bool = false) {
    (self.name, self.kind, self.summary, self.isRequired) = (name, kind, summary, isRequired)
  }

  /// The same, which has to be there.
  var required: ToolParameter { ToolParameter(name, kind, summary, isRequired: true) }

  /// The schema of an object with these members.
  static func schema(_ members: [ToolParameter], isClosed: Bool) -> JSONValue {
    var parts = [
      JSONMember("type", .string("object")),
      JSONMember(
        "properties", .object(members.map { JSONMember($0.name, $0.schema) })),
    ]
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { parts.append(JSONMember("required", .texts(required))) }
    if isClosed { parts.append(JSONMember("additionalProperties", .bool(false))) }
    return .object(parts)
  }

  private var schema: JSONValue {
    guard !summary.isEmpty, case .object(let members) = kind else { return kind }
    return .object(members + [JSONMember("description", .string(summary))])
  }
}

/// The kinds of values.
extension JSONValue {
  static let textKind = kind("string")
  static let flagKind = kind("boolean")
  static let countKind = JSONValue.object(["type": .string("integer"), "minimum": .integer(0)])
  static let anyObjectKind = kind("object")
  /// Text, or null for what is missing.
  static let textOrNothingKind = JSONValue.object(["type": .texts(["string", "null"])])
  static let objectOrNothingKind = JSONValue.object(["type": .texts(["object", "null"])])

  private static func kind(_ word: String) -> JSONValue { .object(["type": .string(word)]) }

  static func listKind(_ item: JSONValue) -> JSONValue {
    .object(["type": .string("array"), "items": item])
  }

  /// A value of the database: what JSON would blur is an object with one member.
  static let cellKind = JSONValue.object([
    "type": .texts(["string", "number", "boolean", "object", "null"])
  ])

  static func objectKind(_ members: [ToolParameter]) -> JSONValue {
    ToolParameter.schema(members, isClosed: false)
  }
}
