import OpenWOCSQLite

/// Statements of somebody who may change rows and nothing else.
extension Connection {
  /// Runs one statement that may read and change rows, and returns how many rows it changed, those by triggers and cascades too.
  ///
  /// An authorizer (<https://sqlite.org/c3ref/set_authorizer.html>) refuses all that reaches beyond the rows of this database: other files,
  /// settings, transactions, extensions; and changes of the layout unless they are allowed. To be called within a transaction.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/authorization`` for what would do more, ``ResultCode/interrupt`` when the time is over.
  package func change(
    _ sql: String, _ arguments: Arguments, allowsLayout: Bool, timeLimit: Duration,
    lengthLimit: Int
  ) throws -> Int {
    try connectModules()
    database.allowOnlyChanging(layout: allowsLayout)
    defer { database.allowAsBefore() }
    let before = totalChanges
    try database.withLimits(time: timeLimit, length: lengthLimit) {
      let statement = try Statement(sql, database: database)
      try statement.start(with: arguments)
      defer { statement.finish() }
      while try statement.step() {}
    }
    return totalChanges - before
  }
}

extension Database {
  /// The actions that change rows, in addition to those that read.
  private static let changingActions: Set = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE]
  /// The actions that change the schema.
  private static let layoutActions: Set = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
    SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_VIEW, SQLITE_DROP_TRIGGER,
    SQLITE_ALTER_TABLE, SQLITE_REINDEX,
  ]

  fileprivate func allowOnlyChanging(layout: Bool) {
    let callback:
      @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?, UnsafePointer<CChar>?
      ) -> Int32 = { context, action, first, second, _, _ in
        if Database.changingActions.contains(action) { return SQLITE_OK }
        if context != nil, Database.layoutActions.contains(action) { return SQLITE_OK }
        return Database.allowsReading(action, first, second) ? SQLITE_OK : SQLITE_DENY
      }
    // The schema may be changed if there is a context; its content does not matter.
    let context = layout ? Unmanaged.passUnretained(self).toOpaque() : nil
    sqlite3_set_authorizer(handle, callback, context)
  }
}
