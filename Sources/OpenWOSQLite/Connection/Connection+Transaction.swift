/// When a transaction takes its locks.
///
/// See <https://sqlite.org/lang_transaction.html>.
public enum TransactionKind: String, Sendable {
  /// At the first read and the first write.
  case deferred = "BEGIN DEFERRED"
  /// At once, for writing; others may still read.
  case immediate = "BEGIN IMMEDIATE"
  /// At once, excluding readers too.
  case exclusive = "BEGIN EXCLUSIVE"
}

extension Connection {
  /// Runs `body` in a transaction, which commits when it returns and rolls back when it throws.
  ///
  /// Within another transaction it is a savepoint, and `kind` has no meaning. After an error of the
  /// commit itself it is unknown whether the transaction is in the file; the connection is usable
  /// either way.
  @discardableResult
  public func transaction<T>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> T
  ) throws -> T {
    if isInTransaction { return try savepoint(body) }
    try execute(kind.rawValue)
    let result: T
    do { result = try body() } catch {
      rollBack()
      throw error
    }
    do { try execute("COMMIT") } catch {
      rollBack()
      throw error
    }
    return result
  }

  private func savepoint<T>(_ body: () throws -> T) throws -> T {
    try execute("SAVEPOINT openwo")
    do {
      let result = try body()
      try execute("RELEASE openwo")
      return result
    } catch {
      // Some errors end the whole transaction; then there is nothing left to go back to.
      if isInTransaction {
        try execute("ROLLBACK TO openwo")
        try execute("RELEASE openwo")
      }
      throw error
    }
  }

  /// SQLite itself has rolled back after some errors; that of a second attempt says nothing new.
  private func rollBack() {
    if isInTransaction { _ = try? execute("ROLLBACK") }
  }

  /// Runs `body` under a read lock, so that no program that uses locks can change the file.
  @discardableResult
  package func withReadLock<T>(_ body: () throws -> T) throws -> T {
    let hold = try holdingReadLock()
    defer { hold.finish() }
    return try body()
  }

  /// Keeps others from changing the file, beyond the end of a transaction too, until the statement is finished.
  package func holdingReadLock() throws -> Statement {
    let statement = try cached("PRAGMA schema_version")
    try statement.start()
    _ = try statement.next { _ in }
    return statement
  }
}
