/// Gives every character a number: ASCII its own, others one as they are met in a pattern or a database's name.
///
/// Characters that are canonically equal have one number. What no pattern and no database's name has needs no
/// number of its own, only whether it is a letter.
struct Alphabet: Sendable {
  static let otherLetter: UInt32 = 0xFFFF_FFFF
  static let otherSign: UInt32 = 0xFFFF_FFFE
  /// Bytes of names that are not UTF-8 have numbers from here on.
  private static let firstByte: UInt32 = 0x4000_0000
  /// Where letters are counted from; signs are counted from twice that.
  private static let firstLetter: UInt32 = 0x1000_0000
  private static let firstSign: UInt32 = 0x2000_0000

  private var numbers: [Character: UInt32] = [:]

  static func isLetter(_ code: UInt32) -> Bool {
    code == otherLetter || firstLetter..<firstSign ~= code
      || code < 0x80 && UInt32(UInt8(ascii: "a"))...UInt32(UInt8(ascii: "z")) ~= code | 0x20
  }

  /// The text's numbers, given out where there is none yet.
  mutating func learn(_ text: String) -> NameText {
    let bytes = Array(text.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) { return Self.text(bytes: bytes) }
    for character in text where !character.isASCII {
      for form in [character] + Array(character.lowercased()) where numbers[form] == nil {
        let first = form.isLetter ? Self.firstLetter : Self.firstSign
        numbers[form] = first + UInt32(numbers.count)
      }
    }
    return self.text(text)
  }

  /// The numbers of a name that is UTF-8; nil if it is not.
  func text(utf8 bytes: [UInt8]) -> NameText? {
    if bytes.allSatisfy({ $0 < 0x80 }) { return Self.text(bytes: bytes) }
    return String(validating: bytes, as: UTF8.self).map(text)
  }

  /// The numbers of a name byte by byte.
  static func text(bytes: [UInt8]) -> NameText {
    let codes = bytes.map { $0 < 0x80 ? UInt32($0) : firstByte + UInt32($0) }
    return NameText(codes: codes, folded: codes.map(folded))
  }

  private func text(_ text: String) -> NameText {
    var codes: [UInt32] = []
    var folded: [UInt32] = []
    for character in text {
      if let ascii = character.asciiValue, character.unicodeScalars.count == 1 {
        codes.append(UInt32(ascii))
        folded.append(Self.folded(UInt32(ascii)))
      } else {
        let other = character.isLetter ? Self.otherLetter : Self.otherSign
        codes.append(numbers[character] ?? other)
        let lower = character.lowercased()
        folded.append(lower.count == 1 ? lower.first.flatMap { numbers[$0] } ?? other : other)
      }
    }
    return NameText(codes: codes, folded: folded)
  }

  private static func folded(_ code: UInt32) -> UInt32 {
    UInt32(UInt8(ascii: "A"))...UInt32(UInt8(ascii: "Z")) ~= code ? code | 0x20 : code
  }
}
