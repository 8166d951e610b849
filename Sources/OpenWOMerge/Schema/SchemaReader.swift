import OpenWOSQLite

/// Reads the schema of an open database.
///
/// Nothing in it is run: no view, no trigger, no module.
struct SchemaReader {
  let connection: Connection

  func read() throws -> DatabaseSchema {
    let entries = try connection.cells(
      "SELECT type, name, tbl_name, rootpage, sql FROM main.sqlite_master"
    ).compactMap(Self.entry)
    let indexes = Set(entries.filter { $0.type == "index" }.map { SQLName.folded($0.name) })
    let owners = ShadowTables(entries)
    var tables: [String: TableShape] = [:]
    var shadows: [String: TableShape] = [:]
    var opaque: [String: String] = [:]
    var unreadable: [String: String] = [:]
    for entry in entries where entry.type == "table" && entry.rootPage > 0 {
      let name = SQLName.folded(entry.name)
      guard !name.hasPrefix("sqlite_") else { continue }
      guard let shape = try TableReader(connection, entry, indexNames: indexes).read() else {
        unreadable[name] = "its definition cannot be read"
        continue
      }
      if owners.owner(of: shape) != nil { shadows[name] = shape } else { tables[name] = shape }
      opaque[name] = owners.possibleOwner(of: shape)
    }
    return DatabaseSchema(
      entries: entries, tables: tables, shadowTables: shadows, opaque: opaque,
      unreadable: unreadable, text: try storedText(), cookie: try setting("schema_version"),
      settings: try settings())
  }

  private static func entry(_ row: [CellValue]) -> SchemaEntry? {
    guard let type = row[0].string, let name = row[1].string, let table = row[2].string else {
      return nil
    }
    return SchemaEntry(
      type: type, name: name, table: table,
      rootPage: row[3].int.flatMap { UInt32(exactly: $0) } ?? 0,
      sql: row[4].string.map { SQLTokens.firstStatement(of: $0, isTrigger: type == "trigger") })
  }

  private func storedText() throws -> StoredText {
    switch try connection.cells("PRAGMA main.encoding").first?.first?.string {
    case "UTF-16le": .utf16LittleEndian
    case "UTF-16be": .utf16BigEndian
    default: .utf8
    }
  }

  private func settings() throws -> [String: Int64] {
    var settings: [String: Int64] = [:]
    for name in ["user_version", "application_id"] {
      settings[name] = try setting(name)
    }
    return settings
  }

  private func setting(_ name: String) throws -> Int64 {
    try connection.cells("PRAGMA main.\(name)").first?.first?.int ?? 0
  }
}

extension CellValue {
  /// The text as a string; nil for anything else.
  package var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// The integer; nil for anything else.
  package var int: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
}
