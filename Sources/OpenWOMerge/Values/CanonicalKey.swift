/// A key's bytes: two keys have the same exactly when SQLite holds them equal.
package struct CanonicalKey: Hashable, Sendable {
  let bytes: [UInt8]

  /// The key of these values, each compared as its collation says.
  package init(_ values: some Sequence<CellValue>, collations: [KeyCollation]) {
    var bytes: [UInt8] = []
    for (index, value) in values.enumerated() {
      let collation = index < collations.count ? collations[index] : .binary
      Self.append(value, collation, to: &bytes)
    }
    self.bytes = bytes
  }

  /// The key of a whole row: equal only for rows that are the same in every storage class.
  package init(exactly values: [CellValue]) {
    var bytes: [UInt8] = []
    for value in values {
      if case .real(let real) = value {
        bytes.append(6)
        Self.append(real.bitPattern, to: &bytes)
      } else {
        Self.append(value, .binary, to: &bytes)
      }
    }
    self.bytes = bytes
  }

  private static func append(
    _ value: CellValue, _ collation: KeyCollation, to bytes: inout [UInt8]
  ) {
    switch value {
    case .null: bytes.append(0)
    case .integer(let integer):
      bytes.append(1)
      append(UInt64(bitPattern: integer), to: &bytes)
    case .real(let real):
      if let integer = Int64(exactly: real) {
        bytes.append(1)
        append(UInt64(bitPattern: integer), to: &bytes)
      } else {
        bytes.append(2)
        append(real.bitPattern, to: &bytes)
      }
    case .text(let text):
      bytes.append(3)
      collation.appendCanonical(text, to: &bytes)
    case .blob(let blob):
      bytes.append(4)
      append(count: blob.count, to: &bytes)
      bytes.append(contentsOf: blob)
    }
  }

  static func append(_ word: UInt64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  static func append(count: Int, to bytes: inout [UInt8]) { append(UInt64(count), to: &bytes) }
}
