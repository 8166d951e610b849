/// One value of a row, exact in SQLite's five storage classes.
///
/// Text is held as UTF-8 bytes, whatever the database's encoding, and need not be valid: SQLite does
/// not check it. Two values are equal when their storage class and their content are, so `1` and
/// `1.0` differ, as do `0.0` and `-0.0`. See https://sqlite.org/datatype3.html.
package enum CellValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Text made of a Swift string.
  package static func text(_ string: String) -> CellValue { .text(Array(string.utf8)) }

  /// Whether this is NULL.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The bytes that text or a blob weighs; the eight of a number else.
  package var weight: Int {
    switch self {
    case .null: 1
    case .integer, .real: 8
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }
}

extension CellValue: Hashable {
  /// Same storage class, same content, bit for bit.
  package static func == (left: CellValue, right: CellValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)): a == b
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }

  /// Agrees with `==`.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(2)
      hasher.combine(value.bitPattern)
    case .text(let bytes):
      hasher.combine(3)
      hasher.combine(bytes)
    case .blob(let bytes):
      hasher.combine(4)
      hasher.combine(bytes)
    }
  }
}
