extension Connection {
  /// The names of the tables that the schema declares, in order, without SQLite's own.
  package func tableNames() throws -> [String] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ) { try $0.get(0) as String }
  }

  /// How many rows each of those tables has.
  package func rowCounts() throws -> [(name: String, rows: Int)] {
    try tableNames().map { name in
      let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
      return (name, try value("SELECT count(*) FROM \(quoted)") ?? 0)
    }
  }
}
