/// The members of a header, each taken once; what is left is unknown.
struct HeaderFields {
  private var members: [JSONMember]

  /// Reads a line of JSON and looks at its format before anything else.
  init(line: [UInt8]) throws(HistoryError) {
    guard case .object(let members) = try JSONParser.parse(line) else {
      throw .malformed("the header is not a JSON object")
    }
    self.members = members
    let format = try takeInteger("format", in: 1...Int64.max)
    guard format <= Version.format else {
      throw .newerFormat(found: format, known: Version.format)
    }
  }

  /// The object of the unused members, in canonical form; nil for none.
  var rest: [UInt8]? { members.isEmpty ? nil : JSONValue.object(members).canonicalForm }

  mutating func take(_ name: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    return members.remove(at: index).value
  }

  mutating func takeInteger(
    _ name: String, in range: ClosedRange<Int64>
  ) throws(HistoryError) -> Int64 {
    guard case .integer(let value) = take(name), range ~= value else {
      throw .malformed("the header has no proper \(name)")
    }
    return value
  }

  mutating func takeString(_ name: String) throws(HistoryError) -> String {
    guard case .string(let value) = take(name) else {
      throw .malformed("the header has no proper \(name)")
    }
    return value
  }

  mutating func takeOptionalString(_ name: String) throws(HistoryError) -> String? {
    switch take(name) {
    case nil: return nil
    case .string(let value): return value
    default: throw .malformed("the header has no proper \(name)")
    }
  }

  mutating func takeStrings(_ name: String, limit: Int) throws(HistoryError) -> [String] {
    guard case .array(let values) = take(name), values.count <= limit else {
      throw .malformed("the header has no proper \(name)")
    }
    var strings: [String] = []
    for case .string(let string) in values { strings.append(string) }
    guard strings.count == values.count else {
      throw .malformed("the header has no proper \(name)")
    }
    return strings
  }

  /// Takes a text and reads it as a value of another type.
  mutating func take<Value>(
    _ name: String, as read: (String) -> Value?
  ) throws(HistoryError) -> Value {
    guard let value = read(try takeString(name)) else {
      throw .malformed("the header has no proper \(name)")
    }
    return value
  }
}
