package import OpenWOSQLite

extension Connection {
  /// The folded names of the tables.
  package func foldedTableNames() throws -> [String] {
    try cells("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0")
      .compactMap { $0[0].string.map(SQLName.folded) }.filter { !$0.hasPrefix("sqlite_") }
  }

  /// The rowids of a table; none if it has no rowids.
  package func rowNumbers(of table: String) throws -> [Int64] {
    do {
      return try cells("SELECT rowid FROM main.\(SQLName.quoted(table))").compactMap { $0[0].int }
    } catch let error as SQLiteError where error.code == .error { return [] }
  }

  /// The cells of the row with a rowid, without the rowid itself; nil if there is no such row.
  package func cells(of number: Int64, in table: String) throws -> [CellValue]? {
    guard try hasTable(table) else { return nil }
    let columns = try cells(
      "SELECT pk = 1 AND upper(type) = 'INTEGER' FROM pragma_table_info(?) ORDER BY cid",
      [.text(SQLName.plain(table))])
    do {
      let found = try cells(
        "SELECT * FROM main.\(SQLName.quoted(table)) WHERE rowid = ?", [.integer(number)])
      return found.first.map { row in
        zip(columns, row).map { $0[0].int == 1 && $1 == .integer(number) ? .null : $1 }
      }
    } catch let error as SQLiteError where error.code == .error { return nil }
  }

  /// Whether a numbered table has a row with a number.
  package func hasRow(_ number: Int64, in table: String) throws -> Bool {
    guard try hasTable(table) else { return false }
    return try !cells(
      "SELECT 1 FROM main.\(SQLName.quoted(table)) WHERE rowid = ?", [.integer(number)]
    ).isEmpty
  }
}
