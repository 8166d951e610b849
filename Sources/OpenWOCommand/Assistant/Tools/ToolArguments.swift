import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// The arguments of a tool call, each checked when it is read.
struct ToolArguments: Sendable {
  private let object: JSONValue
  private let tool: String

  /// Refuses names that the tool does not know.
  init(_ object: JSONValue, _ tool: Tool, _ stores: AssistantStores) throws {
    (self.object, self.tool) = (object, tool.name)
    let known = tool.parameters(for: stores)
    guard case .object(let members) = object else { return }
    for member in members where !known.contains(where: { $0.name == member.name }) {
      let names = known.map(\.name).joined(separator: ", ")
      throw StoreError.usage(
        "\(tool.name) takes no \(String(printable: member.name.utf8)); nothing was changed",
        hint: "it takes \(names)")
    }
    for parameter in known where parameter.isRequired && object.value(parameter.name) == nil {
      throw StoreError.usage(
        "\(tool.name) needs \(parameter.name); nothing was changed",
        hint: parameter.summary.isEmpty ? "give it to \(tool.name)" : parameter.summary)
    }
  }

  func text(_ name: String) throws -> String? {
    guard let value = object.value(name) else { return nil }
    guard let text = value.asText else { throw wrong(name, "text") }
    return text
  }

  func flag(_ name: String) throws -> Bool {
    switch object.value(name) {
    case nil: return false
    case .bool(let flag): return flag
    default: throw wrong(name, "true or false")
    }
  }

  /// A whole number within a range; one beyond its end counts as its end.
  func count(_ name: String, from least: Int = 0, upTo most: Int) throws -> Int? {
    guard let value = object.value(name) else { return nil }
    guard case .integer(let number) = value, number >= least else {
      throw wrong(name, "a whole number from \(least) on")
    }
    return min(Int(clamping: number), most)
  }

  func list(_ name: String) throws -> [JSONValue]? {
    guard let value = object.value(name) else { return nil }
    guard case .array(let values) = value else { throw wrong(name, "a list") }
    return values
  }

  /// The members of an object, by name.
  func members(_ name: String) throws -> [JSONMember]? {
    guard let value = object.value(name) else { return nil }
    guard case .object(let members) = value else { throw wrong(name, "an object") }
    return members
  }

  /// The key of a row, a word for each column, as a person types it.
  func key(_ name: String) throws -> [String]? {
    guard let value = object.value(name) else { return nil }
    let values: [JSONValue]
    if case .array(let several) = value { values = several } else { values = [value] }
    return try values.map { part in
      switch part {
      case .string(let text): text
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      default: throw wrong(name, "a text or a number, or a list of them")
      }
    }
  }

  /// The values for the parameters of a statement.
  func parameters(_ name: String) throws -> Arguments {
    try Arguments(object.value(name), called: name, of: tool)
  }

  func wrong(_ name: String, _ kind: String) -> StoreError {
    .usage(
      "\(name) of \(tool) is not \(kind); nothing was changed",
      hint: "see what the tool takes in the list of tools")
  }
}

extension JSONValue {
  /// A member that is there and not null.
  func value(_ name: String) -> JSONValue? {
    guard let value = self[name] else { return nil }
    if case .null = value { return nil }
    return value
  }
}

extension Arguments {
  /// Reads a list of values, or an object of values by name.
  init(_ value: JSONValue?, called name: String, of tool: String) throws {
    let wrong = StoreError.usage(
      "\(name) of \(tool) holds something that is no value of a database; nothing was changed",
      hint: "give null, numbers, texts, true, false, or bytes as {\"blob\": \"00FF\"}")
    switch value {
    case nil: self = .none
    case .array(let values):
      self = .inOrder(
        try values.map {
          guard let value = Value($0) else { throw wrong }
          return value
        })
    case .object(let members):
      var named: [String: Value] = [:]
      for member in members {
        guard let value = Value(member.value) else { throw wrong }
        named[member.name] = value
      }
      self = .byName(named)
    default: throw wrong
    }
  }
}

extension Value {
  /// A value as JSON has it, bytes and reals without a fraction as an object with one member.
  fileprivate init?(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .object(let members) where members.count == 1:
      guard let text = members[0].value.asText else { return nil }
      switch members[0].name {
      case "blob":
        guard let bytes = Self.bytes(text) else { return nil }
        self = .blob(bytes)
      case "real":
        guard let number = Double(text) else { return nil }
        self = .real(number)
      default: return nil
      }
    default: return nil
    }
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
