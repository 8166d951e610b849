extension Statement {
  /// Binds the arguments, runs the statement to its end, and ignores its rows.
  @inlinable @inline(__always)
  public func execute<each A: Bindable>(_ arguments: repeat each A) throws {
    try start(repeat each arguments)
    defer { finish() }
    while try step() {}
  }

  /// Binds the arguments and passes each row to `body`.
  @inlinable @inline(__always)
  public func forEach<each A: Bindable>(
    _ arguments: repeat each A, body: (borrowing Row) throws -> Void
  ) throws {
    try start(repeat each arguments)
    try eachRow(body)
  }

  /// Binds the arguments and makes a value of each row.
  @inlinable @inline(__always)
  public func rows<T, each A: Bindable>(
    _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> [T] {
    try start(repeat each arguments)
    return try allRows(transform)
  }

  /// Binds the arguments and makes a value of the first row, if there is one.
  @inlinable @inline(__always)
  public func row<T, each A: Bindable>(
    _ arguments: repeat each A, transform: (borrowing Row) throws -> T
  ) throws -> T? {
    try start(repeat each arguments)
    defer { finish() }
    return try step() ? try transform(Row(self)) : nil
  }

  @inlinable @inline(__always)
  func eachRow(_ body: (borrowing Row) throws -> Void) throws {
    defer { finish() }
    guard try step() else { return }
    let row = Row(self)
    repeat { try body(row) } while try step()
  }

  @inlinable @inline(__always)
  func allRows<T>(_ transform: (borrowing Row) throws -> T) throws -> [T] {
    defer { finish() }
    guard try step() else { return [] }
    let row = Row(self)
    var result: [T] = []
    repeat { result.append(try transform(row)) } while try step()
    return result
  }
}
