import OpenWO
import OpenWOFiles
import OpenWOHistory

/// Values of a database as they are printed.
extension DataValue {
  /// The value for people, on one line; long ones are cut.
  var printable: String { String(printable: description.utf8) }

  /// The value in JSON, as `export` writes it: a real number has a fraction or an exponent.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .text(let text): .string(text)
    case .real(let real) where real.isFinite: .real(real)
    case .real(let real): .object([JSONMember("real", .string("\(real)"))])
    case .blob(let bytes): .object([JSONMember("blob", .string(Self.digits(bytes)))])
    case .invalidText(let bytes): .object([JSONMember("bytes", .string(Self.digits(bytes)))])
    }
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension [DataValue] {
  /// The values of a key for people.
  var printable: String { map(\.printable).joined(separator: ", ") }

  var json: JSONValue { .array(map(\.json)) }
}
