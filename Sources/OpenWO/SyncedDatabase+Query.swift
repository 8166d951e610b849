/// Asking any state of the database.
extension SyncedDatabase {
  /// The rows that a query gave.
  package struct QueryResult: Sendable, Hashable {
    /// The names of the columns, as the query gives them.
    package var columns: [String] = []
    /// The rows.
    package var rows: [[DataValue]] = []
    /// Whether there were more rows than were asked for.
    package var isCutShort = false
  }

  /// Runs one SQL statement that only reads, on the database as it stands, a version, or a file; nothing is written anywhere.
  ///
  /// While another device holds the lock, the database as it stands is the state from before.
  ///
  /// - Throws: ``StoreError`` with `usage` for a statement that is wrong or would do more than read, `timeLimit` when it takes too long,
  ///   and what ``diff(from:to:rows:)`` throws.
  package func query(
    _ sql: String, at state: DatabaseState = .live, limit: Int = .max,
    timeLimit: Duration = .seconds(30)
  ) throws -> QueryResult {
    try core.with { try $0.query(sql, at: state, limit: limit, timeLimit: timeLimit) }
  }
}
