import OpenWOHistory

/// Looking into a value that somebody else has written.
extension JSONValue {
  /// The member of an object with this name; nil if there is none.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text, if it is one.
  var asText: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  /// An object of members, in their order.
  static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { JSONMember($0.key, $0.value) })
  }
}
