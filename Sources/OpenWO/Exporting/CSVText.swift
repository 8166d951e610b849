/// One table as comma-separated values: RFC 4180, a line of names first.
///
/// NULL is an empty field. A field without quotation marks is a number, or bytes as SQL writes
/// them: `x'00FF'`. A text that looks like either, or is empty, is quoted. So each value can be
/// read back exactly.
package enum CSVText {
  /// The whole document.
  package static func document(_ columns: [String], _ rows: [[DataValue]]) -> String {
    let lines =
      [columns.map(quoted)]
      + rows.map { row in row.map(field) }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ value: DataValue) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "\(integer)"
    case .real(let real) where real.isInfinite: real < 0 ? "-9e999" : "9e999"
    case .real(let real): "\(real)"
    case .text(let text): looksOtherwise(text) ? "\"" + text + "\"" : quoted(text)
    case .blob(let bytes): "x'\(JSONText.hex(bytes))'"
    case .invalidText(let bytes): "CAST(x'\(JSONText.hex(bytes))' AS TEXT)"
    }
  }

  /// Whether a text without anything that needs quotation marks would be read as something else.
  private static func looksOtherwise(_ text: String) -> Bool {
    guard let first = text.utf8.first, !text.utf8.contains(0x22) else { return false }
    let isBlank = first == 0x20 || text.utf8.last == 0x20
    let isCalled = ["x'", "cast("].contains { text.lowercased().hasPrefix($0) }
    return isBlank || isCalled || Double(text) != nil
  }

  /// A text, quoted if a reader needs that.
  private static func quoted(_ text: String) -> String {
    let needs =
      text.isEmpty || text.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
    guard needs else { return text }
    // By bytes: a mark and an accent behind it are one character.
    let doubled = text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}
