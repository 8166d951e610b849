import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// What is done when a store is opened: it is reconciled, and its schema is migrated.
struct Preparing: StorePart {
  let store: Store

  /// Reconciles after opening, and migrates the schema.
  func run() throws {
    workingCopy.loadBaseline()
    guard !configuration.opensAsFound else { return }
    AbandonedFiles(store: store).sweep()
    try EndedLocks(store: store).sweep()
    guard let migrations = configuration.migrations else {
      // The first read or write reports a lock, a missing or damaged file, or a version on a bad
      // sector.
      do {
        try SyncLoop(store: store).run()
      } catch let error as FileError where versions.isOfUnreadVersion(error) {}
      return
    }
    do {
      let live = try session.enter(waiting: configuration.writePatience)
      guard try !migrations.pending(in: live.connection).isEmpty else { return }
      try migrate(migrations)
    } catch let error as StoreError where error.code == .locked {
      // The edit under the lock comes first; the next open migrates what it leaves.
    }
  }

  /// Runs the missing steps, each as its own write.
  private func migrate(_ migrations: Migrations) throws {
    for _ in 0..<Store.attempts {
      do {
        return try store.asWriter {
          for step in try migrations.pending(
            in: session.enter(waiting: configuration.writePatience).connection)
          {
            try take(step)
          }
        }
      } catch let error as StoreError where error.code == .setAside {
        // Another file has taken the name and won: it is brought to the schema as well.
      }
    }
    throw StoreError.busy(paths)
  }

  private func take(_ step: Migrations.Step) throws {
    let transaction = try WritePath(store: store).beginTransaction(enforcingKeys: false)
    let connection = transaction.connection
    defer { try? connection.enforceForeignKeys(true) }
    do {
      guard try connection.lendingTransaction({ try step.take(in: connection) }) else {
        return try connection.rollback()
      }
    } catch {
      try? connection.rollback()
      throw error is TransactionEnded ? StoreError.endedInside(paths) : error
    }
    try WritePath(store: store).commit(transaction, reason: .migrate)
  }
}
