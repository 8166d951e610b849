import OpenWOCSQLite

/// Statements of somebody who may only look.
extension Connection {
  /// Runs one statement that can do nothing but read, and hands over its rows until `body` has enough; returns the names of the columns.
  ///
  /// Three things keep it from writing: an authorizer (<https://sqlite.org/c3ref/set_authorizer.html>), the statement's own word
  /// (<https://sqlite.org/c3ref/stmt_readonly.html>), and `PRAGMA query_only`, whatever the connection was opened for.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/authorization`` for what would do more, ``ResultCode/interrupt`` when the time is over.
  package func ask(
    _ sql: String, _ arguments: Arguments = .none, timeLimit: Duration,
    lengthLimit: Int = .max, _ body: (borrowing Row) throws -> Bool
  ) throws -> [String] {
    try connectModules()
    try database.run("PRAGMA query_only = ON")
    defer { try? database.run("PRAGMA query_only = OFF") }
    database.allowOnlyReading()
    defer { database.allowAsBefore() }
    return try database.withLimits(time: timeLimit, length: lengthLimit) {
      let statement = try Statement(sql, database: database)
      guard statement.isReadOnly else {
        throw SQLiteError(.authorization, "the statement would write", sql: sql)
      }
      try statement.start(with: arguments)
      defer { statement.finish() }
      let names = statement.columnNames
      while let wantsMore = try statement.next(body), wantsMore {}
      return names
    }
  }

  /// Lets modules begin with their tables: some prepare statements at once that would be refused later, though nobody runs them.
  func connectModules() throws {
    let names = try rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"
    ) { try $0.get(0) as String }
    for name in names {
      _ = try? rows("SELECT count(*) FROM pragma_table_info(?)", name) { _ in }
    }
  }
}

extension Database {
  /// The actions of a statement that only reads.
  private static let readingActions: Set = [
    SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE,
  ]
  /// Functions that reach beyond the database.
  private static let refusedFunctions: Set = [
    "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit",
  ]
  /// The PRAGMAs that only read; those with an argument look at one table, index or database.
  private static let tellingPragmas: Set = [
    "application_id", "auto_vacuum", "collation_list", "compile_options", "data_version",
    "database_list", "encoding", "foreign_keys", "freelist_count", "function_list",
    "journal_mode", "module_list", "page_count", "page_size", "pragma_list", "schema_version",
    "user_version",
  ]
  private static let askedPragmas: Set = [
    "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
    "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  fileprivate func allowOnlyReading() {
    sqlite3_set_authorizer(
      handle,
      { _, action, first, second, _, _ in
        Database.allowsReading(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }, nil)
  }

  /// Whether an action only reads.
  static func allowsReading(
    _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
  ) -> Bool {
    switch action {
    case SQLITE_FUNCTION: !refusedFunctions.contains(word(second))
    case SQLITE_PRAGMA:
      askedPragmas.contains(word(first)) || second == nil && tellingPragmas.contains(word(first))
    default: readingActions.contains(action)
    }
  }

  func allowAsBefore() {
    sqlite3_set_authorizer(handle, nil, nil)
    if keepsSettings || notesTables { authorize() }
  }

  private static func word(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0).lowercased() } ?? ""
  }
}
