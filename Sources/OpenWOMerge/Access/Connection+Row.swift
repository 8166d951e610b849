package import OpenWOSQLite

extension Connection {
  /// The folded names of the tables.
  package func foldedTableNames() throws -> [String] {
    try cells("SELECT name FROM main.sqlite_master WHERE type = 'table' AND rootpage > 0")
      .compactMap { $0[0].string.map(SQLName.folded) }.filter { !$0.hasPrefix("sqlite_") }
  }

  /// The numbers of a table's rows; none where it has no numbers.
  package func rowNumbers(of table: String) throws -> [Int64] {
    do {
      return try cells("SELECT rowid FROM main.\(SQLName.quoted(table))").compactMap { $0[0].int }
    } catch let error as SQLiteError where error.code == .error { return [] }
  }

  /// Whether a numbered table has a row with a number.
  package func hasRow(_ number: Int64, in table: String) throws -> Bool {
    guard try hasTable(table) else { return false }
    return try !cells(
      "SELECT 1 FROM main.\(SQLName.quoted(table)) WHERE rowid = ?", [.integer(number)]
    ).isEmpty
  }
}
