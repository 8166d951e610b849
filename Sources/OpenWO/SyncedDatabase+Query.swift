package import OpenWOSQLite

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

  /// Which rows of a query are wanted.
  package struct QueryRange: Sendable, Hashable {
    /// How many rows are passed over.
    package var offset = 0
    /// How many rows there are at most.
    package var limit = Int.max
    /// About how many bytes the rows have at most; a single row may have more.
    package var bytes = Int.max

    /// About how many bytes one row or one value has at most, when the bytes are limited.
    var mostOfOne: Int { bytes == .max ? .max : max(bytes, 8 << 20) }

    package init(offset: Int = 0, limit: Int = .max, bytes: Int = .max) {
      (self.offset, self.limit, self.bytes) = (offset, limit, bytes)
    }
  }

  /// Runs one read-only SQL statement on the current database, a version or a file; nothing is
  /// written anywhere.
  ///
  /// While another device holds the lock, the current database is the state before the lock.
  ///
  /// - Throws: ``StoreError`` with `usage` for a statement that is wrong or would do more than read, `timeLimit` when it takes too long,
  ///   and what ``diff(from:to:rows:)`` throws.
  package func query(
    _ sql: String, _ arguments: Arguments = .none, at state: DatabaseState = .live,
    limit: Int = .max, timeLimit: Duration = .seconds(30)
  ) throws -> QueryResult {
    try query(
      sql, arguments, at: state, QueryRange(limit: limit), timeLimit: timeLimit, until: StopSign())
  }

  /// The same for a part of the rows, until somebody cancels it.
  package func query(
    _ sql: String, _ arguments: Arguments, at state: DatabaseState, _ range: QueryRange,
    timeLimit: Duration, until stop: StopSign
  ) throws -> QueryResult {
    try core.with {
      try Querying(store: $0).run(sql, arguments, at: state, range, timeLimit: timeLimit, stop)
    }
  }
}
