import OpenWOCSQLite

/// Which tables the statements of a closure use.
extension Connection {
  /// Runs a body and learns which tables its statements read and write.
  ///
  /// SQLite names them to an authorizer when it prepares a statement
  /// (<https://sqlite.org/c3ref/set_authorizer.html>): through views, triggers and cascades, too. What
  /// no name describes, such as a PRAGMA, the schema or a virtual table, counts as every table. A
  /// statement that the body neither prepares nor starts does not count.
  package func learningTables<T>(_ body: () throws -> T) throws -> (result: T, tables: TableUse) {
    if database.startNoting() { forgetStatements() }
    database.used = TableUse()
    defer { database.used = nil }
    let result = try body()
    var found = database.used ?? .everything
    database.used = nil
    let virtual = TableSet(
      try rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"
      ) { try $0.get(0) as String })
    // A module reads and writes tables of its own, unseen by statements that were prepared before.
    if found.read.intersects(virtual) { found.read = .everything }
    if found.written.intersects(virtual) { found.written = .everything }
    return (result, found)
  }
}

extension Database {
  /// Has the authorizer note tables from now on; returns whether it did not before.
  fileprivate func startNoting() -> Bool {
    guard !notesTables else { return false }
    notesTables = true
    authorize()
    return true
  }

  /// Notes what a statement does that is just prepared.
  func note(_ action: Int32, _ name: UnsafePointer<CChar>?) {
    switch action {
    case SQLITE_READ: note(name) { $0.read.insert($1) }
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: note(name) { $0.written.insert($1) }
    case SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      break
    default: noted = .everything
    }
    // SQLite prepares a statement again by itself when the schema has changed.
    if !isPreparing { used?.formUnion(noted) }
  }

  private func note(
    _ name: UnsafePointer<CChar>?, _ insert: (inout TableUse, String) -> Void
  ) {
    guard let name else { return noted = .everything }
    // SQLite's own tables are written without a word, and the schema changes what a name means.
    let text = String(cString: name)
    if text.lowercased().hasPrefix("sqlite_") { noted = .everything } else { insert(&noted, text) }
  }
}

extension Statement {
  /// Adds the tables of a statement that starts to those of the closure that runs it.
  func noteUse() {
    guard database.used != nil else { return }
    let isAsPrepared = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0) == 0
    database.used?.formUnion(isAsPrepared ? tables ?? .everything : .everything)
  }
}
