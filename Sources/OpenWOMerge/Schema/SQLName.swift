/// Names and texts as they must be written in SQL.
enum SQLName {
  /// The name in double quotes, also of a folded one.
  static func quoted(_ name: String) -> String {
    doubled(plain(name), 0x22)
  }

  /// A text between two marks, in which each mark is doubled: by bytes, as a mark and an accent behind it are one character.
  static func doubled(_ text: String, _ mark: UInt8) -> String {
    let inner = text.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] }
    return String(decoding: [mark] + inner + [mark], as: UTF8.self)
  }

  /// Names that SQLite holds equal, and only these, have the same folded form: ASCII letters have no case, and all else counts by its bytes.
  ///
  /// Strings of Swift are equal in any Unicode form, and names in SQLite are not.
  static func folded(_ name: String) -> String {
    bytewise(name, name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 })
  }

  /// A form that equals only that of a name with the same bytes.
  static func bytewise(_ name: String) -> String { bytewise(name, Array(name.utf8)) }

  private static func bytewise(_ name: String, _ bytes: [UInt8]) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    // Of a form that was made before, the bytes are known already.
    if name.unicodeScalars.contains(where: { standIns ~= $0.value }) {
      return bytewise(plain(String(decoding: bytes, as: UTF8.self)))
    }
    var form = String.UnicodeScalarView()
    for byte in bytes {
      let value = byte < 0x80 ? UInt32(byte) : standIns.lowerBound - 0x80 + UInt32(byte)
      if let scalar = Unicode.Scalar(value) { form.append(scalar) }
    }
    return String(form)
  }

  /// A text in which each name in such a form is what the database has.
  static func plain(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { standIns ~= $0.value }) else { return text }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if standIns ~= scalar.value {
        bytes.append(UInt8(scalar.value - standIns.lowerBound) + 0x80)
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The last 128 scalars, for private use, stand for the bytes from 0x80: no Unicode form changes them.
  private static let standIns: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF
}
