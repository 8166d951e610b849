/// How the text of a key column is compared: SQLite's built-in collations, or one we do not know.
///
/// See https://sqlite.org/datatype3.html#collating_sequences.
package enum KeyCollation: Hashable, Sendable {
  case binary
  case noCase
  case trailingSpace
  case unknown(String)

  /// The collation SQLite knows under this name; names are compared without case.
  package init(name: String) {
    switch name.uppercased() {
    case "BINARY": self = .binary
    case "NOCASE": self = .noCase
    case "RTRIM": self = .trailingSpace
    default: self = .unknown(name)
    }
  }

  /// Its name in SQL.
  var name: String {
    switch self {
    case .binary: "BINARY"
    case .noCase: "NOCASE"
    case .trailingSpace: "RTRIM"
    case .unknown(let name): SQLName.quoted(name)
    }
  }

  /// Whether we can tell equal keys without asking the application that defined the collation.
  package var isKnown: Bool {
    if case .unknown = self { false } else { true }
  }

  /// Appends a form of `text` (UTF-8) that is the same for exactly the texts this collation holds equal.
  func appendCanonical(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    switch self {
    case .binary, .unknown:
      CanonicalKey.append(count: text.count, to: &bytes)
      bytes.append(contentsOf: text)
    case .noCase:
      // SQLite compares up to the first NUL, then the lengths.
      CanonicalKey.append(count: text.count, to: &bytes)
      let compared = text.prefix { $0 != 0 }
      CanonicalKey.append(count: compared.count, to: &bytes)
      for byte in compared { bytes.append(byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte) }
    case .trailingSpace:
      var kept = text.count
      for byte in text.reversed() as [UInt8] {
        if byte != 0x20 { break }
        kept -= 1
      }
      CanonicalKey.append(count: kept, to: &bytes)
      bytes.append(contentsOf: text.prefix(kept))
    }
  }
}
