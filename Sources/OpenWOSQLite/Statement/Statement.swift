public import OpenWOCSQLite

/// A prepared statement, for loops that run it many times.
///
/// It cannot be used after its connection is closed.
public final class Statement {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let database: Database
  @usableFromInline let parameterCount: Int32
  /// The tables that it uses; nil if nobody noted them.
  let tables: TableUse?
  /// Whether it was started and not finished.
  // Unchecked: one thread at a time is the rule for connections, and the check costs more than the use.
  @exclusivity(unchecked) @usableFromInline var inUse = false
  /// The names of the columns, once somebody has asked for one in this run.
  @exclusivity(unchecked) @usableFromInline var names: [String] = []
  /// Where to look first for a name: after the last one found, since rows are mostly read in order.
  @exclusivity(unchecked) @usableFromInline var nextColumn = 0
  /// Texts and blobs of one run that are not too long, so that SQLite need not copy them to the heap.
  @usableFromInline let room: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) @usableFromInline var roomUsed = 0

  init(_ sql: String, database: Database) throws {
    self.handle = try database.prepare(sql)
    self.tables = database.notesTables ? database.noted : nil
    self.room = .allocate(byteCount: 512, alignment: 8)
    self.database = database
    database.adopt(handle)
    self.parameterCount = sqlite3_bind_parameter_count(handle)
  }

  deinit {
    database.giveUp(handle)
    room.deallocate()
  }

  /// The SQL text of the statement.
  public var sql: String {
    guard database.isOpen, let text = sqlite3_sql(handle) else { return "" }
    return String(cString: text)
  }

  /// Whether it does not change the database.
  public var isReadOnly: Bool { database.isOpen && sqlite3_stmt_readonly(handle) != 0 }

  /// The names of the columns, as the statement gives them.
  public var columnNames: [String] {
    if names.isEmpty && database.isOpen {
      names = (0..<sqlite3_column_count(handle)).map {
        sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
      }
    }
    return names
  }

  /// The number of the first column with this name.
  @inlinable
  func column(named name: String) throws -> Int {
    guard nextColumn < names.count, names[nextColumn] == name else { return try search(name) }
    nextColumn += 1
    return nextColumn - 1
  }

  @usableFromInline @inline(never)
  func search(_ name: String) throws -> Int {
    guard let found = columnNames.firstIndex(of: name) else { throw noColumn(name) }
    nextColumn = found + 1
    return found
  }

  // MARK: Step by step

  /// Binds the arguments, one for each parameter, and starts before the first row.
  @inlinable @inline(__always)
  public func start<each A: Bindable>(_ arguments: repeat each A) throws {
    try begin()
    do {
      var index: Int32 = 0
      func bind(_ argument: some Bindable) throws {
        index += 1
        try argument.bind(to: Parameter(self, index))
      }
      repeat try bind(each arguments)
      if index != parameterCount { throw wrongCount(index) }
    } catch {
      finish()
      throw error
    }
  }

  /// Binds the arguments, one for each parameter, and starts before the first row.
  public func start(arguments: [any Bindable]) throws {
    try begin()
    do {
      let count = Int32(clamping: arguments.count)
      guard count == parameterCount else { throw wrongCount(count) }
      for (index, argument) in zip(Int32(1)..., arguments) {
        try argument.bind(to: Parameter(self, index))
      }
    } catch {
      finish()
      throw error
    }
  }

  /// Steps to the next row and makes a value of it; nil after the last one.
  @inlinable
  public func next<T>(_ transform: (borrowing Row) throws -> T) throws -> T? {
    do {
      guard inUse, try step() else {
        finish()
        return nil
      }
      return try transform(Row(self))
    } catch {
      finish()
      throw error
    }
  }

  /// Ends a run before its last row, and releases its locks.
  @inlinable @inline(__always)
  public func finish() {
    guard database.isOpen else { return }
    inUse = false
    sqlite3_reset(handle)
  }

  @usableFromInline
  func begin() throws {
    guard database.isOpen else { throw database.closedError }
    guard !inUse else { throw SQLiteError(.misuse, "the statement is in use", sql: sql) }
    inUse = true
    noteUse()
    roomUsed = 0
    if !names.isEmpty { names = [] }
  }

  /// Copies bytes to a place where they stay until the next run, if there is room.
  @inlinable @inline(__always)
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard bytes.count <= room.count - roomUsed, let start = room.baseAddress else { return nil }
    let kept = start + roomUsed
    kept.copyMemory(from: bytes.baseAddress ?? UnsafeRawPointer(kept), byteCount: bytes.count)
    roomUsed += bytes.count
    return UnsafeRawPointer(kept)
  }

  @inlinable @inline(__always)
  func step() throws -> Bool {
    guard database.isOpen else { throw database.closedError }
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result)
  }

  // MARK: Errors

  @usableFromInline @inline(never)
  func failure(_ result: Int32) -> any Error {
    if result == SQLITE_INTERRUPT && database.isPastDeadline {
      return SQLiteError(.interrupt, "the connection was open for longer than allowed", sql: sql)
    }
    return SQLiteError(result: result, database: database.handle, sql: sql)
  }

  @usableFromInline @inline(never)
  func noColumn(_ name: String) -> any Error {
    let known = columnNames.joined(separator: ", ")
    return SQLiteError(.range, "no column \(name) among: \(known)", sql: sql)
  }

  @usableFromInline @inline(never)
  func noColumn(_ index: Int) -> any Error {
    SQLiteError(.range, "no column \(index) among \(columnNames.count)", sql: sql)
  }

  @usableFromInline @inline(never)
  func wrongCount(_ count: Int32) -> any Error {
    SQLiteError(.range, "\(count) arguments for \(parameterCount) parameters", sql: sql)
  }
}
