/// Values as they stand in an SQL text, such that SQLite reads back exactly the same value.
struct SQLLiteral {
  /// How the database that will read the text stores its own: a blob cast to text is taken as that.
  let text: StoredText
  /// What SQLite makes of a decimal number; its conversion rounds otherwise than ours now and then.
  let readReal: (String) throws -> Double?

  /// The literal for a value.
  func spell(_ value: CellValue) throws -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): try spell(real)
    case .text(let bytes): spell(text: bytes)
    case .blob(let bytes): "X'\(Self.hex(bytes))'"
    }
  }

  private func spell(text bytes: [UInt8]) -> String {
    let string = String(decoding: bytes, as: UTF8.self)
    guard !bytes.contains(0), Array(string.utf8) == bytes else {
      return "CAST(X'\(Self.hex(text.restore(bytes)))' AS TEXT)"
    }
    return "'"
      + string.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "''") + "'"
  }

  private func spell(_ real: Double) throws -> String {
    if real.isInfinite { return real < 0 ? "-9e999" : "9e999" }
    if real == 0 { return real.sign == .minus ? "-0.0" : "0.0" }
    let shortest = "\(real.magnitude)"
    let sign = real < 0 ? "-" : ""
    if try readReal(shortest) == real.magnitude { return sign + shortest }
    return sign + Self.exactly(real.magnitude)
  }

  /// A product of numbers that every SQLite reads exactly: a whole mantissa and powers of two.
  private static func exactly(_ real: Double) -> String {
    let mantissa = Int64(real.significand * 0x1p52)
    var exponent = Int(real.exponent) - 52
    var factors = ["\(mantissa).0"]
    let step = exponent < 0 ? "0.0009765625" : "1024.0"
    let rest = exponent < 0 ? "0.5" : "2.0"
    while exponent.magnitude >= 10 {
      factors.append(step)
      exponent += exponent < 0 ? 10 : -10
    }
    factors += Array(repeating: rest, count: Int(exponent.magnitude))
    return "(" + factors.joined(separator: "*") + ")"
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
