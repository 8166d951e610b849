/// How a database stores text: UTF-8 or one of the two UTF-16 forms.
///
/// The numbers are those at offset 56 of the header, https://sqlite.org/fileformat2.html#enc.
package enum StoredText: UInt8, Sendable {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3

  /// Its name in `PRAGMA encoding`; nil for UTF-8, which is the default.
  var encodingName: String? {
    switch self {
    case .utf8: nil
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    }
  }

  /// The text as UTF-8 bytes, made as SQLite makes them, lone surrogates included.
  package func decode(_ stored: UnsafeRawBufferPointer) -> [UInt8] {
    guard self != .utf8 else { return Array(stored) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stored.count)
    let units = stored.count / 2
    var index = 0
    while index < units {
      var scalar = unit(stored, index)
      index += 1
      if scalar >= 0xD800, scalar < 0xE000, index < units {
        let low = unit(stored, index)
        index += 1
        scalar = (low & 0x3FF) + ((scalar & 0x3F) << 10) + (((scalar & 0x3C0) + 0x40) << 10)
      }
      Self.append(scalar, to: &bytes)
    }
    return bytes
  }

  /// The bytes under which a database with this encoding holds a text given as UTF-8 bytes.
  package func encode(_ bytes: [UInt8]) -> [UInt8] {
    guard self != .utf8 else { return bytes }
    var stored: [UInt8] = []
    func append(_ unit: UInt32) {
      let (high, low) = (UInt8(unit >> 8 & 0xFF), UInt8(unit & 0xFF))
      stored += self == .utf16LittleEndian ? [low, high] : [high, low]
    }
    var at = 0
    while at < bytes.count {
      let scalar = Self.scalar(bytes, &at)
      if scalar < 0x10000 {
        append(scalar)
      } else {
        append(0xD800 + ((scalar - 0x10000) >> 10 & 0x3FF))
        append(0xDC00 + (scalar & 0x3FF))
      }
    }
    return stored
  }

  /// The bytes of which `decode` makes these, if there are any: what SQLite would replace stays.
  package func restore(_ bytes: [UInt8]) -> [UInt8] {
    guard self != .utf8 else { return bytes }
    var stored: [UInt8] = []
    var (begin, at) = (0, 0)
    while at + 2 < bytes.count {
      guard Self.isReplaced(bytes, at) else {
        at += 1
        continue
      }
      stored += encode(Array(bytes[begin..<at]))
      let (second, third) = (bytes[at + 1], bytes[at + 2])
      let high = bytes[at] << 4 | second >> 2 & 0x0F
      let low = second << 6 | third & 0x3F
      stored += self == .utf16LittleEndian ? [low, high] : [high, low]
      at += 3
      begin = at
    }
    return stored + encode(Array(bytes[begin...]))
  }

  /// Whether SQLite makes U+FFFD of a character of the text if it stores it as UTF-16: of U+FFFE, of
  /// U+FFFF, and of half a surrogate pair at the end.
  static func hasReplaced(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 3 && (0..<bytes.count - 2).contains { isReplaced(bytes, $0) }
  }

  private static func isReplaced(_ bytes: [UInt8], _ at: Int) -> Bool {
    switch bytes[at] {
    case 0xEF: bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE
    case 0xED: at == bytes.count - 3 && bytes[at + 1] >= 0xA0
    default: false
    }
  }

  /// The mark that SQLite takes away from text that it is given as UTF-16.
  var byteOrderMark: [UInt8] {
    switch self {
    case .utf8: []
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    }
  }

  /// Reads one scalar as SQLite does: invalid UTF-8 becomes U+FFFD.
  private static func scalar(_ bytes: [UInt8], _ at: inout Int) -> UInt32 {
    let first = UInt32(bytes[at])
    at += 1
    guard first >= 0xC0 else { return first }
    var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
    if first >= 0xF8 { scalar = first < 0xFC ? first & 0x03 : first & 0x01 }
    while at < bytes.count, bytes[at] & 0xC0 == 0x80 {
      scalar = (scalar << 6 | UInt32(bytes[at] & 0x3F)) & 0x3FF_FFFF
      at += 1
    }
    let isWrong = scalar < 0x80 || scalar & 0xFFFF_F800 == 0xD800 || scalar & 0xFFFF_FFFE == 0xFFFE
    return isWrong || scalar > 0x10FFFF ? 0xFFFD : scalar
  }

  private func unit(_ stored: UnsafeRawBufferPointer, _ index: Int) -> UInt32 {
    let first = UInt32(stored[index * 2])
    let second = UInt32(stored[index * 2 + 1])
    return self == .utf16LittleEndian ? first | second << 8 : first << 8 | second
  }

  private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
    switch scalar {
    case ..<0x80: bytes.append(UInt8(scalar))
    case ..<0x800: bytes += [0xC0 | UInt8(scalar >> 6), tail(0)]
    case ..<0x10000: bytes += [0xE0 | UInt8(scalar >> 12), tail(6), tail(0)]
    default: bytes += [0xF0 | UInt8(scalar >> 18 & 7), tail(12), tail(6), tail(0)]
    }
  }
}
