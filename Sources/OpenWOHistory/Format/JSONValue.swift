/// A JSON value as the folder's files use it: numbers are integers, and a name occurs once in an
/// object.
package enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// The values `true` and `false`.
  case bool(Bool)
  /// A number without fraction and exponent.
  case integer(Int64)
  /// A number with a fraction, for what is printed; no file of the folder has one.
  case real(Double)
  /// A value that is in canonical form already.
  case written([UInt8])
  /// Text, compared as bytes wherever it matters.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members, sorted by the bytes of their names.
  case object([JSONMember])
}

/// A name and its value in a JSON object.
package struct JSONMember: Sendable {
  /// The name, unique in its object.
  package let name: String
  /// The value.
  package let value: JSONValue

  /// Makes a member.
  package init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }
}

extension JSONValue {
  /// The canonical form: names sorted by bytes, no white space, the fewest escapes, UTF-8 as it is.
  package var canonicalForm: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// Sorts members by the bytes of their names; nil if a name occurs twice.
  package static func object(unsorted members: [JSONMember]) -> JSONValue? {
    let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let twice = zip(sorted, sorted.dropFirst()).contains {
      $0.name.utf8.elementsEqual($1.name.utf8)
    }
    return twice ? nil : .object(sorted)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): Self.write(value, to: &bytes)
    case .real(let value): bytes += "\(value)".utf8
    case .written(let written): bytes += written
    case .string(let value): Self.write(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ value: Int64, to bytes: inout [UInt8]) {
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes[start...].reverse()
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.allSatisfy({ !needsEscape($0) }) {
      bytes += text.utf8
    } else {
      for byte in text.utf8 { write(byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func write(_ byte: UInt8, to bytes: inout [UInt8]) {
    if !needsEscape(byte) {
      bytes.append(byte)
    } else if byte >= 0x20 {
      bytes += [UInt8(ascii: "\\"), byte]
    } else {
      let digits = Array("0123456789abcdef".utf8)
      bytes += "\\u00".utf8
      bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
