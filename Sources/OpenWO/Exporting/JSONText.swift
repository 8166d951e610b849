import OpenWOHistory

/// Tables as one JSON document: rows are objects, a line each; the same data gives the same bytes.
package enum JSONText {
  /// The whole document.
  package static func document(_ tables: [SyncedDatabase.ExportedTable], userVersion: Int) -> String
  {
    let parts = tables.map { table in
      let rows = table.rows.map { "    " + object(table.columns, $0) }
      let body = rows.isEmpty ? "" : "\n" + rows.joined(separator: ",\n") + "\n  "
      return "  \(string(table.name)): [\(body)]"
    }
    return "{\"schema\": \"openwo/1\", \"userVersion\": \(userVersion), \"tables\": {\n"
      + parts.joined(separator: ",\n") + "\n}}\n"
  }

  private static func object(_ names: [String], _ values: [DataValue]) -> String {
    let members = zip(names, values).map { "\(string($0)): \(value($1))" }
    return "{" + members.joined(separator: ", ") + "}"
  }

  /// Numbers are JSON numbers, reals with a fraction or an exponent.
  ///
  /// A value that JSON cannot write is an object that names its kind.
  private static func value(_ value: DataValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): "\(integer)"
    case .real(let real): real.isFinite ? "\(real)" : "{\"real\": \"\(real)\"}"
    case .text(let text): string(text)
    case .invalidText(let bytes): "{\"bytes\": \"\(hex(bytes))\"}"
    case .blob(let bytes): "{\"blob\": \"\(hex(bytes))\"}"
    }
  }

  /// Bytes as hexadecimal digits.
  package static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }

  private static func string(_ text: String) -> String { JSONValue.string(text).line }
}
