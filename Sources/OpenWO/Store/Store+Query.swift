import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Asking a state of the database; changes nothing.
extension Store {
  /// The rows of one statement that only reads.
  func query(
    _ sql: String, at state: DatabaseState, limit: Int, timeLimit: Duration
  ) throws -> SyncedDatabase.QueryResult {
    try opening(state) { connection in
      var result = SyncedDatabase.QueryResult()
      do {
        result.columns = try connection.ask(sql, timeLimit: timeLimit) { row in
          guard result.rows.count < limit else {
            result.isCutShort = true
            return false
          }
          result.rows.append(
            try (0..<row.count).map { DataValue(try CellValue(column: row.column($0))) })
          return true
        }
      } catch let error as SQLiteError {
        throw StoreError(asking: error, paths) ?? error
      }
      return result
    }
  }
}

extension StoreError {
  /// What is wrong with a query; nil if the fault is not the query's.
  fileprivate init?(asking error: SQLiteError, _ paths: StorePaths) {
    let tables = "openwo query \(paths.shellName) \"SELECT name, sql FROM sqlite_schema\""
    switch error.code {
    case .interrupt:
      self.init(
        .timeLimit, "the query took longer than it may; nothing was changed",
        hint: "give it more time: openwo query --timeout 5m \(paths.shellName) SQL")
    case .authorization:
      self.init(
        .usage, "a query may only read (\(error.message)); nothing was changed",
        hint: "to change rows by hand: openwo edit \(paths.shellName) -- sqlite3 {}")
    case .error, .misuse, .range, .tooBig, .mismatch:
      self.init(
        .usage, "\(String(printable: error.message.utf8)); nothing was changed",
        hint: "see the tables and their columns: \(tables)")
    default: return nil
    }
  }
}
