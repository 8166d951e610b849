package import SystemPackage

extension FilePath {
  /// The path as a person can paste it into a shell, safe to print.
  package var shellName: String {
    let bytes = bytes
    let harmless = Array("%+,-./:@_".utf8)
    let isPlain = bytes.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
        || harmless.contains($0)
    }
    if isPlain && !bytes.isEmpty { return printable }
    if let text = String(validating: bytes, as: UTF8.self), printable == text {
      // By bytes: a quotation mark and an accent behind it are one character.
      let inner = text.utf8.flatMap { $0 == UInt8(ascii: "'") ? Array("'\\''".utf8) : [$0] }
      return "'" + String(decoding: inner, as: UTF8.self) + "'"
    }
    // Bytes that cannot be printed need the quoting of bash, zsh and ksh.
    return Self.bashName(bytes)
  }

  /// The form of bash, zsh and ksh, in ASCII: every byte stays as it is wherever it is pasted.
  package static func bashName(_ bytes: [UInt8]) -> String {
    "$'" + bytes.map(escaped).joined() + "'"
  }

  private static func escaped(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
    case 0x20..<0x7f: String(UnicodeScalar(byte))
    default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
}
