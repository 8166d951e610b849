import OpenWOSQLite

extension Connection {
  /// What ALTER TABLE ADD COLUMN puts into the rows that are there already; nil if there is none, or only one that is no constant.
  ///
  /// SQLite computes it in a table in memory, as the column's type may change the value. See
  /// https://sqlite.org/lang_altertable.html#alter_table_add_column.
  func valueOfOlderRows(in column: ColumnShape, of table: TableShape) throws -> CellValue? {
    guard let expression = column.defaultSQL else {
      return column.isNotNull ? nil : .null
    }
    let isAny = table.isStrict && SQLName.folded(column.declaredType) == "any"
    // An empty name would be a type, with another affinity than none.
    let isUntyped = isAny || column.declaredType.isEmpty
    let type = isUntyped ? "" : " " + SQLName.quoted(column.declaredType)
    let scratch = "temp.\"openwo default\""
    try run("PRAGMA temp_store = MEMORY")
    if try cells("SELECT 1 FROM temp.sqlite_schema WHERE name = 'openwo default'").isEmpty {
      try run("CREATE TABLE \(scratch)(row)")
      try run("INSERT INTO \(scratch) VALUES (1)")
    }
    // Columns stay until the connection is closed: none can go while a read lock is held.
    let count = try cells("PRAGMA temp.table_info(\"openwo default\")").count
    do {
      try run(
        "ALTER TABLE \(scratch) ADD COLUMN c\(count)\(type) DEFAULT \(expression)")
    } catch let error as SQLiteError where error.code == .error {
      return nil
    }
    return try cells("SELECT c\(count) FROM \(scratch)").first?.first
  }
}
