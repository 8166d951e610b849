extension Connection {
  /// Runs one statement and returns how many rows it inserted, updated or deleted itself.
  @inlinable @discardableResult
  public func execute<each A: Bindable>(_ sql: String, _ arguments: repeat each A) throws -> Int {
    let before = totalChanges
    try cached(sql).execute(repeat each arguments)
    return totalChanges == before ? 0 : changes
  }

  /// Makes a value of each row: `try db.rows("SELECT name FROM exercise") { try $0.get(0) as String }`.
  @inlinable
  public func rows<T, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> [T] {
    try cached(sql).rows(repeat each arguments, transform: transform)
  }

  /// Makes a `T` of each row.
  @inlinable
  public func rows<T: RowDecodable, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, as: T.Type
  ) throws -> [T] {
    try cached(sql).rows(repeat each arguments) { try T(row: $0) }
  }

  /// All rows, as values.
  @inlinable
  public func rows<each A: Bindable>(
    _ sql: String, _ arguments: repeat each A
  ) throws -> [ValueRow] {
    try cached(sql).rows(repeat each arguments) { try ValueRow(row: $0) }
  }

  /// Makes a value of the first row, if there is one.
  @inlinable
  public func row<T, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> T? {
    try cached(sql).row(repeat each arguments, transform: transform)
  }

  /// Makes a `T` of the first row, if there is one.
  @inlinable
  public func row<T: RowDecodable, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, as: T.Type
  ) throws -> T? {
    try cached(sql).row(repeat each arguments) { try T(row: $0) }
  }

  /// The first row, as values, if there is one.
  @inlinable
  public func row<each A: Bindable>(
    _ sql: String, _ arguments: repeat each A
  ) throws -> ValueRow? {
    try cached(sql).row(repeat each arguments) { try ValueRow(row: $0) }
  }

  /// The first column of the first row; nil if there is no row or the column is NULL.
  @inlinable
  public func value<T: ColumnDecodable, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, as: T.Type = T.self
  ) throws -> T? {
    try cached(sql).row(repeat each arguments) { try $0.get(0, as: T?.self) } ?? nil
  }

  /// Passes each row to `body`, without keeping the rows.
  @inlinable
  public func forEach<each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, body: (borrowing Row) throws -> Void
  ) throws {
    try cached(sql).forEach(repeat each arguments, body: body)
  }

  /// Passes each row of a statement to `body`; for a number of parameters that is known only at run
  /// time.
  @inlinable
  public func forEach(
    _ sql: String, arguments: [any Bindable], body: (borrowing Row) throws -> Void
  ) throws {
    let statement = try cached(sql)
    try statement.start(arguments: arguments)
    try statement.eachRow(body)
  }

  /// Runs one statement; for a number of parameters that is known only at run time.
  @discardableResult
  public func execute(_ sql: String, arguments: [any Bindable]) throws -> Int {
    let before = totalChanges
    let statement = try cached(sql)
    try statement.start(arguments: arguments)
    try statement.eachRow { _ in }
    return totalChanges == before ? 0 : changes
  }

  /// Makes a value of each row; for a number of parameters that is known only at run time.
  @inlinable
  public func rows<T>(
    _ sql: String, arguments: [any Bindable], transform: (borrowing Row) throws -> T
  ) throws -> [T] {
    let statement = try cached(sql)
    try statement.start(arguments: arguments)
    return try statement.allRows(transform)
  }

  /// Runs the statements of a script one after another and ignores their rows.
  public func executeScript(_ sql: String) throws {
    try database.run(sql)
  }
}
