/// A kind of character of which a name may have several in a row.
enum NameClass: String, Sendable {
  /// A person, account or device; parentheses in it are balanced.
  case who
  /// Text without a dot; parentheses in it are balanced.
  case text
  /// A computer's name: letters, digits and hyphens.
  case host
  /// Half of an e-mail address.
  case address
  case digit
  case letters
  /// The part of a Windows computer's name after `DESKTOP-`.
  case computer
  /// Seven letters and digits of a Syncthing device id.
  case base32
  case hex
  /// Nine upper-case digits of SQLite.
  case hexadecimal
  /// A short id of letters and digits.
  case id
  /// Digits and the signs of a time.
  case stamp
  case nothing

  /// How many such characters may follow each other.
  var length: ClosedRange<Int> {
    switch self {
    case .who, .text, .address: 1...255
    case .host: 1...63
    case .digit: 1...9
    case .letters: 1...24
    case .computer: 5...11
    case .base32: 7...7
    case .hex: 3...8
    case .hexadecimal: 9...9
    case .id: 6...8
    case .stamp: 4...32
    case .nothing: 0...0
    }
  }

  /// Whether parentheses in a row of it must close what they open.
  var isBalanced: Bool { self == .who || self == .text }

  /// Whether a character, by its number in the alphabet, is of this kind.
  func contains(_ code: UInt32) -> Bool {
    switch self {
    case .who: true
    case .text: code != UInt32(ascii: ".")
    case .address: !Self.isOne(of: "(@) ", code)
    case .digit: Self.isDigit(code)
    case .host: Self.isDigit(code) || code == UInt32(ascii: "-") || Alphabet.isLetter(code)
    case .letters: Self.isIn("A", "Z", code) || Self.isIn("a", "z", code)
    case .computer: Self.isDigit(code) || Self.isIn("A", "Z", code)
    case .base32: Self.isIn("2", "7", code) || Self.isIn("A", "Z", code)
    case .hex: Self.isDigit(code) || Self.isIn("a", "f", code)
    case .hexadecimal: Self.isDigit(code) || Self.isIn("A", "F", code)
    case .id: Self.isDigit(code) || Self.isIn("A", "Z", code) || Self.isIn("a", "z", code)
    case .stamp: Self.isDigit(code) || Self.isOne(of: "-_.:TZ ", code)
    case .nothing: false
    }
  }

  private static func isOne(of signs: StaticString, _ code: UInt32) -> Bool {
    signs.withUTF8Buffer { $0.contains { UInt32($0) == code } }
  }

  private static func isDigit(_ code: UInt32) -> Bool { isIn("0", "9", code) }

  private static func isIn(_ first: Unicode.Scalar, _ last: Unicode.Scalar, _ code: UInt32) -> Bool
  {
    first.value...last.value ~= code
  }
}

extension UInt32 {
  /// The number of an ASCII character in the alphabet.
  init(ascii scalar: Unicode.Scalar) {
    self = scalar.value
  }
}
