import OpenWOSQLite

extension Connection {
  /// Whether the database has a table of this name, however it is written.
  func hasTable(_ name: String) throws -> Bool {
    try !cells(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE",
      [.text(SQLName.plain(name))]
    ).isEmpty
  }
}
