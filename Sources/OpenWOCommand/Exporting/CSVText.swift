import OpenWO

/// One table as comma-separated values: RFC 4180, a line of names first.
///
/// NULL is nothing at all, an empty text is two quotation marks, bytes are hexadecimal.
enum CSVText {
  static func document(_ table: SyncedDatabase.ExportedTable) -> String {
    let lines =
      [table.columns.map(quoted)]
      + table.rows.map { row in row.map(field) }
    return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ value: DataValue) -> String {
    switch value {
    case .null: ""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): quoted(text)
    case .invalidText(let bytes), .blob(let bytes): JSONText.hex(bytes)
    }
  }

  /// Quoted where a reader needs it.
  private static func quoted(_ text: String) -> String {
    let needs =
      text.isEmpty || text.unicodeScalars.contains { [",", "\"", "\r", "\n"].contains($0) }
    return needs ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
