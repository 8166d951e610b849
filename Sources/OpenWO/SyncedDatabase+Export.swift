import OpenWOFiles
import OpenWOMerge

/// Handing out what the database holds, to be read by other programs.
extension SyncedDatabase {
  /// One table with all its rows.
  public struct ExportedTable: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// The names of its columns.
    public var columns: [String]
    /// Its rows, in the order of its key.
    public var rows: [[DataValue]]
  }

  /// A table that could not be written out.
  public struct LeftOutTable: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Why.
    public var reason: String
  }

  /// The tables with their rows at one moment: all tables, or the named ones.
  ///
  /// Virtual tables are included; those whose rows cannot be read are named separately. While
  /// somebody holds the lock, this is the state before it.
  ///
  /// - Throws: ``StoreError`` with `usage` for a table that is not there.
  public func exportTables(
    named names: [String]? = nil
  ) throws -> (tables: [ExportedTable], leftOut: [LeftOutTable]) {
    try read { db in
      let all = try db.tableNames()
      if let missing = names?.first(where: { !all.contains($0) }) {
        throw StoreError(
          .usage, "there is no table '\(String(printable: missing.utf8))'",
          advice: Advice("the tables are: \(all.joined(separator: ", "))"))
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

  /// Passes a script that recreates the database in an empty one to `write`, piece by piece.
  ///
  /// Returns the tables that the script leaves out, and why.
  public func exportScript(_ write: (String) throws -> Void) throws -> [LeftOutTable] {
    try core.with { try Exporting(store: $0).script(write) }
  }

  /// All tables as one JSON document, as `openwo export` writes it; the same data gives the same bytes.
  public func exportJSON() throws -> String {
    let tables = try exportTables().tables
    return JSONText.document(tables, userVersion: try read { try $0.userVersion })
  }

  /// One table as comma-separated values, as `openwo export` writes it.
  ///
  /// - Throws: ``StoreError`` with `usage` for a table that is not there.
  public func exportCSV(table: String) throws -> String {
    try exportTables(named: [table]).tables
      .map { CSVText.document($0.columns, $0.rows) }.joined()
  }

  /// Runs an app's export query and returns one text for each row.
  ///
  /// - Throws: ``StoreError`` with `usage` if it is not a query with one column of text.
  public func exportTexts(ofQuery sql: String) throws -> [String] {
    try read { db in try db.rows(sql) { try $0.get(0) as String } }
  }
}
