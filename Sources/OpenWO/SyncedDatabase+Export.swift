import OpenWOFiles
import OpenWOMerge

/// Handing out what the database holds, to be read by other programs.
extension SyncedDatabase {
  /// One table with all its rows.
  package struct ExportedTable: Sendable, Hashable {
    /// Its name.
    package var name: String
    /// The names of its columns.
    package var columns: [String]
    /// Its rows, in the order of its key.
    package var rows: [[DataValue]]
  }

  /// The tables with their rows, as they stand at one moment; all of them, or those that are named.
  ///
  /// While somebody holds the lock it is the state from before.
  ///
  /// - Throws: ``StoreError`` with `usage` for a table that is not there.
  package func exportTables(named names: [String]? = nil) throws -> [ExportedTable] {
    try read { db in
      let all = try db.tableNames()
      if let missing = names?.first(where: { !all.contains($0) }) {
        throw StoreError(
          .usage, "there is no table '\(String(printable: missing.utf8))'",
          hint: "the tables are: \(all.joined(separator: ", "))")
      }
      return try (names ?? all).map { name in
        var table = ExportedTable(name: name, columns: [], rows: [])
        table.columns = try db.columnNames(ofTable: name)
        try db.forEachRow(ofTable: name) { row in
          var values: [DataValue] = []
          for index in 0..<row.count {
            values.append(DataValue(try CellValue(column: row.column(index))))
          }
          table.rows.append(values)
        }
        return table
      }
    }
  }

  /// Hands out a script that makes the database anew in an empty one.
  package func exportScript(_ write: (String) throws -> Void) throws {
    try core.with { try $0.exportScript(write) }
  }

  /// What one query of an app's own says, a text for each row.
  ///
  /// - Throws: ``StoreError`` with `usage` when it is no query that gives one column of text.
  package func exportTexts(ofQuery sql: String) throws -> [String] {
    try read { db in try db.rows(sql) { try $0.get(0) as String } }
  }
}
