import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// Reads: they begin while the store is held, and run without it.
extension StoreCore {
  func read<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    try read(whenBegun: {}, body)
  }

  /// Reads, and learns from which tables.
  ///
  /// `whenBegun` is called when the content that is read cannot change any more.
  func readLearning<Result: Sendable>(
    _ body: (Connection) throws -> Result, whenBegun: () -> Void
  ) throws -> (Result, TableSet) {
    var tables = TableSet.everything
    let result = try read(whenBegun: whenBegun) { connection in
      let learnt = try connection.learningTables { try body(connection) }
      tables = learnt.tables.read
      return learnt.result
    }
    return (result, tables)
  }

  private func read<Result: Sendable>(
    whenBegun: () -> Void, _ body: (Connection) throws -> Result
  ) throws -> Result {
    for _ in 0..<Store.attempts {
      let reading = try patientlyGuarded { guarded in
        let reading = try Reading(store: guarded.store).begin()
        tellContent(&guarded)
        whenBegun()
        return reading
      }
      switch reading {
      case .live(let reader): return try StoreError.wrapping(paths) { try read(reader, body) }
      case .copy(let path):
        if let result = try StoreError.wrapping(paths, { try read(copy: path, body) }) {
          return result
        }
      }
    }
    throw StoreError.busy(paths)
  }

  /// Reads the live file in a transaction that was begun, and ends it.
  private func read<Result: Sendable>(
    _ reader: Reader, _ body: (Connection) throws -> Result
  ) throws -> Result {
    defer { readers.finish(reader) }
    return try reader.use { connection in try finishing(connection, body) }
  }

  /// Reads a private copy; nil if another process has just cleared it away for one of its own.
  private func read<Result: Sendable>(
    copy path: FilePath, _ body: (Connection) throws -> Result
  ) throws -> Result? {
    let connection: Connection
    do {
      connection = try Connection(path: path, .ofPrivateCopy)
    } catch {
      guard try files.statusIfPresent(path) == nil else { throw error }
      return nil
    }
    defer { connection.close() }
    try connection.begin(.deferred)
    return try finishing(connection, body)
  }

  /// Runs the app's closure in the open transaction, and ends that.
  private func finishing<Result: Sendable>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      let result = try lend(connection, body)
      guard !connection.isWriting else { throw StoreError.wroteInRead(paths) }
      try connection.commit()
      return result
    } catch {
      try? connection.rollback()
      if let error = error as? SQLiteError, error.extendedCode == .readOnly {
        throw StoreError.wroteInRead(paths)
      }
      throw error
    }
  }
}
