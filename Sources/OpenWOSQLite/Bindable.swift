public import OpenWOCSQLite

/// A value that can stand for a parameter of a statement.
///
/// A type of your own conforms by binding one of the types that SQLite knows.
public protocol Bindable {
  /// Binds the value to one parameter.
  func bind(to parameter: Parameter) throws
}

/// One parameter of a prepared statement.
@frozen
public struct Parameter {
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let index: Int32

  @inlinable
  init(_ statement: OpaquePointer, _ index: Int32) {
    self.statement = statement
    self.index = index
  }

  @inlinable
  func check(_ result: Int32) throws {
    if result != SQLITE_OK { throw failure(result) }
  }

  @usableFromInline @inline(never)
  func failure(_ result: Int32) -> SQLiteError {
    SQLiteError(
      result: result, database: sqlite3_db_handle(statement),
      sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}

extension Int64: Bindable {
  /// Binds an integer.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try parameter.check(sqlite3_bind_int64(parameter.statement, parameter.index, self))
  }
}

extension Int: Bindable {
  /// Binds an integer.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try Int64(self).bind(to: parameter)
  }
}

extension Bool: Bindable {
  /// Binds 1 or 0.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try Int64(self ? 1 : 0).bind(to: parameter)
  }
}

extension Double: Bindable {
  /// Binds a number; SQLite makes NULL of NaN.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try parameter.check(sqlite3_bind_double(parameter.statement, parameter.index, self))
  }
}

extension String: Bindable {
  /// Binds text with its length, so U+0000 is kept.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    let bound = utf8.withContiguousStorageIfAvailable {
      openwo_bind_text(parameter.statement, parameter.index, $0.baseAddress, Int64($0.count))
    }
    guard let bound else { return try String(decoding: utf8, as: UTF8.self).bind(to: parameter) }
    try parameter.check(bound)
  }
}

extension [UInt8]: Bindable {
  /// Binds bytes; no bytes are an empty blob, not NULL.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try parameter.check(
      withUnsafeBytes {
        openwo_bind_blob(parameter.statement, parameter.index, $0.baseAddress, Int64($0.count))
      })
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  /// Binds the value, or NULL.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    switch self {
    case .some(let value): try value.bind(to: parameter)
    case .none: try parameter.check(sqlite3_bind_null(parameter.statement, parameter.index))
    }
  }
}

extension Value: Bindable {
  /// Binds the value in its own storage class.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    switch self {
    case .null: try Int64?.none.bind(to: parameter)
    case .integer(let value): try value.bind(to: parameter)
    case .real(let value): try value.bind(to: parameter)
    case .text(let value): try value.bind(to: parameter)
    case .blob(let value): try value.bind(to: parameter)
    }
  }
}

extension Bindable where Self: RawRepresentable, RawValue: Bindable {
  /// Binds the raw value.
  @inlinable
  public func bind(to parameter: Parameter) throws {
    try rawValue.bind(to: parameter)
  }
}
