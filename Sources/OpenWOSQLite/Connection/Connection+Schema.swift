extension Connection {
  /// The names of the tables that the schema declares, in order, without SQLite's own.
  package func tableNames() throws -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { try $0.get(0) as String }
  }

  /// How many rows each of those tables has.
  package func rowCounts() throws -> [(name: String, rows: Int)] {
    try tableNames().map { ($0, try value("SELECT count(*) FROM \(Self.quoted($0))") ?? 0) }
  }

  /// The names of a table's columns, generated ones too, as SELECT * gives them.
  package func columnNames(ofTable name: String) throws -> [String] {
    try rows("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid", name) {
      try $0.get(0)
    }
  }

  /// Hands out each row of a table, in the order of its key.
  package func forEachRow(ofTable name: String, body: (borrowing Row) throws -> Void) throws {
    let keys = try rows(
      "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", name
    ) { Self.quoted(try $0.get(0) as String) }
    let order = keys.isEmpty ? "" : " ORDER BY " + keys.joined(separator: ", ")
    try forEach("SELECT * FROM \(Self.quoted(name))\(order)", body: body)
  }

  /// A name between quotation marks.
  ///
  /// By bytes: a quotation mark and an accent behind it are one character.
  static func quoted(_ name: String) -> String {
    let doubled = name.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }
    return "\"" + String(decoding: doubled, as: UTF8.self) + "\""
  }
}
