import OpenWOCSQLite

/// A transaction ended while it was lent, so that what was done before its end is not written.
package struct TransactionEnded: Error, Sendable {
  package init() {}
}

extension Connection {
  /// Lends the open transaction to a closure that can read and write, but not end it.
  ///
  /// Some errors make SQLite roll back the whole transaction; later statements would then be
  /// committed one by one, without our checks. So commits are refused meanwhile, and the settings
  /// that keep a commit safe cannot be changed (<https://sqlite.org/c3ref/commit_hook.html>,
  /// <https://sqlite.org/c3ref/set_authorizer.html>).
  ///
  /// - Throws: What `body` throws; ``TransactionEnded`` if it returns and the transaction is no
  ///   longer open.
  package func lendingTransaction<T>(_ body: () throws -> T) throws -> T {
    database.lend()
    defer { database.takeBack() }
    let result = try body()
    guard isInTransaction, !database.hasEnded else { throw TransactionEnded() }
    return result
  }
}

extension Database {
  /// The settings on which it rests that a commit is whole, durable and seen by others.
  private static let kept: Set = ["journal_mode", "locking_mode", "synchronous", "cache_spill"]

  /// Refuses to change those settings while the transaction is lent.
  func keepSettings() {
    keepsSettings = true
    authorize()
  }

  /// Has SQLite ask about each action of a statement that it prepares.
  func authorize() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(
      handle,
      { context, action, name, argument, _, _ in
        guard let context else { return SQLITE_OK }
        let database = Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
        if database.notesTables { database.note(action, name) }
        guard action == SQLITE_PRAGMA, let name, argument != nil else { return SQLITE_OK }
        let isKept = Database.kept.contains(String(cString: name).lowercased())
        return database.keepsSettings && database.isLent && isKept ? SQLITE_DENY : SQLITE_OK
      }, context)
  }

  fileprivate func lend() {
    (isLent, hasEnded) = (true, false)
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_commit_hook(handle, { _ in 1 }, nil)
    sqlite3_rollback_hook(
      handle,
      { context in
        guard let context else { return }
        Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().hasEnded = true
      }, context)
  }

  fileprivate func takeBack() {
    isLent = false
    sqlite3_commit_hook(handle, nil, nil)
    sqlite3_rollback_hook(handle, nil, nil)
  }
}
