/// The storage class to which a column converts a value if that is lossless.
///
/// See https://sqlite.org/datatype3.html#determination_of_column_affinity.
enum ColumnAffinity {
  case integer, text, blob, real, numeric

  /// The affinity of a declared type; empty if there is none.
  init(_ declaredType: String) {
    let type = declaredType.uppercased()
    func has(_ words: String...) -> Bool { words.contains { type.contains($0) } }
    if has("INT") {
      self = .integer
    } else if has("CHAR", "CLOB", "TEXT") {
      self = .text
    } else if type.isEmpty || has("BLOB") {
      self = .blob
    } else {
      self = has("REAL", "FLOA", "DOUB") ? .real : .numeric
    }
  }

  /// The value as the column holds it; a real number stays one where text is wanted, as no key is made of those.
  func taking(_ value: CellValue) -> CellValue {
    switch (self, value) {
    case (.text, .integer(let integer)): .text("\(integer)")
    case (.integer, .text(let bytes)), (.numeric, .text(let bytes)):
      Self.number(bytes).map(Self.whole) ?? value
    case (.integer, .real), (.numeric, .real): Self.whole(value)
    case (.real, .integer(let integer)): .real(Double(integer))
    case (.real, .text(let bytes)): Self.number(bytes).map(taking) ?? value
    default: value
    }
  }

  /// The number that a text is; nil for any other text.
  private static func number(_ bytes: [UInt8]) -> CellValue? {
    let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
    let text = bytes.drop { spaces.contains($0) }.reversed().drop { spaces.contains($0) }.reversed()
    guard text.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    let digits = String(decoding: text, as: UTF8.self)
    return Int64(digits).map(CellValue.integer) ?? Double(digits).map(CellValue.real)
  }

  private static func whole(_ value: CellValue) -> CellValue {
    guard case .real(let real) = value else { return value }
    return Int64(exactly: real).map(CellValue.integer) ?? value
  }
}
