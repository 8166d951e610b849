import OpenWOCSQLite

/// A transaction in single steps, for the store, which has to look at the file before and after each.
extension Connection {
  /// Begins a transaction.
  package func begin(_ kind: TransactionKind) throws {
    try execute(kind.rawValue)
  }

  /// Ends the transaction for good; an error leaves it in doubt whether it is in the file.
  package func commit() throws {
    try execute("COMMIT")
  }

  /// Takes the transaction back, unless SQLite has done so already.
  package func rollback() throws {
    if isInTransaction { try execute("ROLLBACK") }
  }

  /// Whether no transaction is open, not even that of a statement that was left in its middle.
  package var isIdle: Bool {
    database.isOpen && !isInTransaction
      && sqlite3_txn_state(database.handle, nil) == SQLITE_TXN_NONE
  }

  /// Whether the open transaction has written something.
  package var isWriting: Bool {
    database.isOpen && sqlite3_txn_state(database.handle, "main") == SQLITE_TXN_WRITE
  }
}
