/// Values as SQL literals, such that SQLite reads back exactly the same value.
struct SQLLiteral {
  /// How the database that will read the text stores its own: a blob cast to text is taken as that.
  let text: StoredText
  /// SQLite's conversion of a decimal number, which sometimes rounds differently from ours.
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
    let hasMark = bytes.contains(0x0D) && string.unicodeScalars.contains(Self.mark)
    let isReplaced = text != .utf8 && StoredText.hasReplaced(bytes)
    guard !bytes.contains(0), !hasMark, !isReplaced, Array(string.utf8) == bytes else {
      return "CAST(X'\(Self.hex(text.restore(bytes)))' AS TEXT)"
    }
    guard bytes.contains(0x0D) else { return Self.quoted(string) }
    var marked = String.UnicodeScalarView()
    marked.append(contentsOf: string.unicodeScalars.map { $0 == "\r" ? Self.mark : $0 })
    return "replace(\(Self.quoted(String(marked))),'\(Self.mark)',char(13))"
  }

  /// Stands for a carriage return, which shells and editors take away from the ends of lines.
  private static let mark: Unicode.Scalar = "\u{240D}"

  private static func quoted(_ string: String) -> String { SQLName.doubled(string, 0x27) }

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
