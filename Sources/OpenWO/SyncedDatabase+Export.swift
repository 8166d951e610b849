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

  /// A table that could not be written out.
  package struct LeftOutTable: Sendable, Hashable {
    /// Its name.
    package var name: String
    /// Why.
    package var reason: String
  }

  /// The tables with their rows, as they stand at one moment; all of them, or those that are named.
  ///
  /// The rows of virtual tables are among them; virtual tables whose rows cannot be read are named beside. While somebody holds the lock it
  /// is the state from before.
  ///
  /// - Throws: ``StoreError`` with `usage` for a table that is not there.
  package func exportTables(
    named names: [String]? = nil
  ) throws -> (tables: [ExportedTable], leftOut: [LeftOutTable]) {
    try read { db in
      let all = try db.tableNames()
      if let missing = names?.first(where: { !all.contains($0) }) {
        throw StoreError(
          .usage, "there is no table '\(String(printable: missing.utf8))'",
          hint: "the tables are: \(all.joined(separator: ", "))")
      }
      let found = try DataTables(db, only: names)
      let tables = try found.tables.map { table in
        var exported = ExportedTable(name: table.name, columns: table.columns, rows: [])
        try found.forEachRow(of: table) { exported.rows.append($0.map(DataValue.init)) }
        return exported
      }
      return (tables, found.leftOut.map { LeftOutTable(name: $0.name, reason: $0.reason) })
    }
  }

  /// Hands out a script that makes the database anew in an empty one.
  ///
  /// Returns the tables that it leaves out, and why.
  package func exportScript(_ write: (String) throws -> Void) throws -> [LeftOutTable] {
    try core.with { try $0.exportScript(write) }
  }

  /// What one query of an app's own says, a text for each row.
  ///
  /// - Throws: ``StoreError`` with `usage` when it is no query that gives one column of text.
  package func exportTexts(ofQuery sql: String) throws -> [String] {
    try read { db in try db.rows(sql) { try $0.get(0) as String } }
  }
}
