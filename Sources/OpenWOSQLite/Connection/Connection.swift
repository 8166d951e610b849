import OpenWOCSQLite
package import SystemPackage

/// An open database.
///
/// Use a connection from one thread at a time and only in the process that opened it. It throws
/// ``SQLiteError``, or what a passed closure throws.
public final class Connection {
  let database: Database
  // Unchecked: one thread at a time is the rule for connections, and the check costs more than the use.
  @exclusivity(unchecked) private var cache = StatementCache(capacity: 64)

  /// How to open a database file.
  package struct Options: Sendable {
    /// The permitted use of the file.
    package enum Mode: Sendable {
      case readOnly, readWrite
      /// As `readWrite`, but a missing file is made.
      case create
    }
    /// The permitted use of the file.
    package var mode: Mode
    /// Whether nobody will change the file: no locks, no journal.
    package var immutable = false
    /// Which files beside the database are trusted.
    package var guardPolicy: GuardPolicy
    /// How long to wait for locks of others.
    package var busyTimeout: Duration
    /// Whether the content may be hostile.
    package var untrusted = false
    /// How long the connection may work, from its opening on; past that, statements fail.
    package var timeLimit: Duration?

    package init(
      mode: Mode = .readWrite, immutable: Bool = false, guardPolicy: GuardPolicy,
      busyTimeout: Duration = .seconds(5), untrusted: Bool = false, timeLimit: Duration? = nil
    ) {
      self.mode = mode
      self.immutable = immutable
      self.guardPolicy = guardPolicy
      self.busyTimeout = busyTimeout
      self.untrusted = untrusted
      self.timeLimit = timeLimit
    }
  }

  /// Opens a database file, with the settings that a file in a synced folder needs.
  ///
  /// The path is bytes and never a URI; the file itself must not be a link.
  package init(path: FilePath, _ options: Options) throws(SQLiteError) {
    database = try Database(path: path, options)
    do { try database.configure(options) } catch {
      throw error as? SQLiteError ?? SQLiteError(.error, "\(error)")
    }
  }

  /// Opens a database that lies in no file of its own, for reading; nobody may change its bytes meanwhile.
  ///
  /// `read` fills the buffer from an offset and returns how many bytes there were. What it throws becomes an I/O error.
  package init(
    contentOf size: Int64,
    read: @escaping (Int64, UnsafeMutableRawBufferPointer) throws -> Int
  ) throws(SQLiteError) {
    let options = Options(
      mode: .readOnly, immutable: true, guardPolicy: .privateCopy, untrusted: true)
    database = try Database(
      path: "content", options, outside: OutsideContent(size: size, read: read))
    do { try database.configure(options) } catch {
      throw error as? SQLiteError ?? SQLiteError(.error, "\(error)")
    }
  }

  /// Closes the file and uses up all statements; not to be called while a row is lent.
  package func close() {
    cache.removeAll()
    database.close()
  }

  /// Gives up the statements that are kept prepared.
  func forgetStatements() { cache.removeAll() }

  /// Sets how long to wait for locks of others from now on.
  package func setBusyTimeout(_ timeout: Duration) throws {
    try database.setBusyTimeout(timeout)
  }

  /// A statement with this text from the cache; it must not leave the call that runs it.
  @usableFromInline
  func cached(_ sql: String) throws -> Statement {
    if let statement = cache.find(sql) { return statement }
    let statement = try Statement(sql, database: database)
    cache.insert(statement, sql: sql)
    return statement
  }
}

extension Connection {
  /// Prepares a statement for a loop.
  public func prepare(_ sql: String) throws -> Statement {
    try Statement(sql, database: database)
  }

  /// The row id of the latest row inserted by this connection.
  public var lastInsertRowID: Int64 { database.handle.map(sqlite3_last_insert_rowid) ?? 0 }

  /// The number of rows that the latest INSERT, UPDATE or DELETE changed itself, without triggers.
  public var changes: Int { Int(database.handle.map(sqlite3_changes64) ?? 0) }

  /// The number of rows changed since the connection was opened, including by triggers.
  public var totalChanges: Int { Int(database.handle.map(sqlite3_total_changes64) ?? 0) }

  /// The application's number for its schema, -2³¹ to 2³¹ - 1.
  public var userVersion: Int {
    get throws { try value("PRAGMA user_version") ?? 0 }
  }

  /// Sets the application's number for its schema.
  public func setUserVersion(_ number: Int) throws {
    try database.run("PRAGMA user_version = \(number)")
  }

  /// The application's number for its files, -2³¹ to 2³¹ - 1.
  public var applicationID: Int {
    get throws { try value("PRAGMA application_id") ?? 0 }
  }

  /// Sets the application's number for its files.
  public func setApplicationID(_ number: Int) throws {
    try database.run("PRAGMA application_id = \(number)")
  }

  /// Enforces foreign keys or not, as from the next transaction on.
  package func enforceForeignKeys(_ enforced: Bool) throws {
    try database.run("PRAGMA foreign_keys = \(enforced ? "ON" : "OFF")")
  }

  /// Runs `body` without enforcing foreign keys; within a transaction that has no effect.
  @discardableResult
  package func withoutForeignKeys<T>(_ body: () throws -> T) throws -> T {
    let enforced = try value("PRAGMA foreign_keys", as: Bool.self) ?? false
    try enforceForeignKeys(false)
    defer { if enforced { try? enforceForeignKeys(true) } }
    return try body()
  }

  /// Stops what this connection is doing, from any thread.
  public var interruptToken: InterruptToken { database.interruptToken }

  /// Whether a transaction is open.
  public var isInTransaction: Bool {
    database.handle.map(sqlite3_get_autocommit) == 0
  }
}
