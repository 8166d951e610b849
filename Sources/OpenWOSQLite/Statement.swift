public import OpenWOCSQLite

/// A prepared statement, for loops that run it many times.
///
/// It belongs to its connection and is used up when that is closed.
public final class Statement {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let database: Database
  /// Whether a caller is between its first step and its end.
  @usableFromInline var inUse = false
  @usableFromInline var columnCount = 0
  @usableFromInline let parameterCount: Int32
  private var names: [String]?

  init(_ sql: String, database: Database, persistent: Bool) throws {
    self.handle = try database.prepare(sql, persistent: persistent)
    self.database = database
    self.parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    if database.isOpen { sqlite3_finalize(handle) }
  }

  /// The SQL text of the statement.
  public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// Whether it changes nothing in the database.
  public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The names of the columns of the current run.
  @usableFromInline
  var columnNames: [String] {
    if let names { return names }
    let found = (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
    names = found
    return found
  }

  // MARK: Running

  /// Binds the arguments and runs the statement to its end; rows are passed over.
  @inlinable
  public func execute<each A: Bindable>(_ arguments: repeat each A) throws {
    try start(repeat each arguments)
    defer { finish() }
    while try step() {}
  }

  /// Binds the arguments and hands each row to `body`.
  @inlinable
  public func forEach<each A: Bindable>(
    _ arguments: repeat each A, body: (borrowing Row) throws -> Void
  ) throws {
    try start(repeat each arguments)
    defer { finish() }
    let row = Row(self)
    while try step() { try body(row) }
  }

  /// Binds the arguments and makes a value of each row.
  @inlinable
  public func rows<T, each A: Bindable>(
    _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> [T] {
    try start(repeat each arguments)
    defer { finish() }
    let row = Row(self)
    var result: [T] = []
    while try step() { result.append(try transform(row)) }
    return result
  }

  /// Binds the arguments and makes a value of the first row, if there is one.
  @inlinable
  public func row<T, each A: Bindable>(
    _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> T? {
    try start(repeat each arguments)
    defer { finish() }
    return try step() ? try transform(Row(self)) : nil
  }

  // MARK: Step by step

  @inlinable
  func start<each A: Bindable>(_ arguments: repeat each A) throws {
    try begin()
    do {
      var index: Int32 = 0
      for argument in repeat each arguments {
        index += 1
        try argument.bind(to: Parameter(handle, index))
      }
      if index != parameterCount { throw wrongCount(index) }
    } catch {
      finish()
      throw error
    }
  }

  @usableFromInline
  func start(arguments: [any Bindable]) throws {
    try begin()
    do {
      for (index, argument) in arguments.enumerated() {
        try argument.bind(to: Parameter(handle, Int32(index + 1)))
      }
      if arguments.count != parameterCount { throw wrongCount(Int32(arguments.count)) }
    } catch {
      finish()
      throw error
    }
  }

  @usableFromInline
  func begin() throws {
    guard database.isOpen else { throw SQLiteError(.misuse, "the connection is closed") }
    guard !inUse else { throw SQLiteError(.misuse, "the statement is in use", sql: sql) }
    inUse = true
    names = nil
    columnCount = 0
  }

  @inlinable
  func step() throws -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW {
      if columnCount == 0 { columnCount = Int(sqlite3_column_count(handle)) }
      return true
    }
    if result == SQLITE_DONE { return false }
    throw failure(result)
  }

  @inlinable
  func finish() {
    inUse = false
    if database.isOpen { sqlite3_reset(handle) }
  }

  // MARK: Errors

  @usableFromInline @inline(never)
  func failure(_ result: Int32) -> SQLiteError {
    SQLiteError(result: result, database: sqlite3_db_handle(handle), sql: sql)
  }

  @usableFromInline @inline(never)
  func noColumn(_ name: String) -> SQLiteError {
    let known = columnNames.joined(separator: ", ")
    return SQLiteError(.range, "no column \(name) among: \(known)", sql: sql)
  }

  @usableFromInline @inline(never)
  func wrongCount(_ count: Int32) -> SQLiteError {
    SQLiteError(.range, "\(count) arguments for \(parameterCount) parameters", sql: sql)
  }
}
