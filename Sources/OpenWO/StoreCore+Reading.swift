import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// Reads: of the live file with the store held, of a private copy without.
extension StoreCore {
  /// How far a read came while the store was held.
  private enum Progress<Result: Sendable>: Sendable {
    case done(Result)
    /// It reads this private copy.
    case copy(FilePath)
  }

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
      let progress: Progress<Result> = try patientlyGuarded { guarded in
        let store = guarded.store
        switch try store.readable() {
        case .live(let connection):
          defer { store.doneReading(connection) }
          return .done(
            try transaction(on: connection) {
              tellContent(&guarded)
              whenBegun()
            } _: {
              try body(connection)
            })
        case .copy(let path):
          tellContent(&guarded)
          whenBegun()
          return .copy(path)
        }
      }
      switch progress {
      case .done(let result): return result
      case .copy(let path):
        if let result = try StoreError.wrapping(paths, { try read(copy: path, body) }) {
          return result
        }
      }
    }
    throw StoreError.busy(paths)
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
    return try transaction(on: connection, whenBegun: {}) { try body(connection) }
  }

  private func transaction<Result: Sendable>(
    on connection: Connection, whenBegun: () -> Void, _ body: () throws -> Result
  ) throws -> Result {
    try connection.begin(.deferred)
    do {
      whenBegun()
      let result = try lend(connection) { _ in try body() }
      guard !connection.isWriting else { throw StoreError.wroteInRead(paths) }
      try connection.commit()
      return result
    } catch {
      try? connection.rollback()
      throw error
    }
  }
}
