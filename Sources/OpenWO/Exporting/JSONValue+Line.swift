import OpenWOFiles
package import OpenWOHistory

/// JSON for people and for files.
extension JSONValue {
  /// The value as one line of text, in which no character does anything to a terminal.
  package var line: String {
    let form = canonicalForm
    let text = String(decoding: form, as: UTF8.self)
    guard form.contains(where: { $0 >= 0x7F }) else { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if scalar.isHarmless {
        line.unicodeScalars.append(scalar)
      } else {
        line += Self.escape(scalar)
      }
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    scalar.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
