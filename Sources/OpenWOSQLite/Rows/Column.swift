public import OpenWOCSQLite

/// A type that can be read from a column of a row.
///
/// A type of your own conforms by reading one of the types that SQLite knows.
public protocol ColumnDecodable {
  /// Reads the value; throws when the column holds another type.
  init(column: borrowing Column) throws
}

/// One column of the current row, valid until the next step of the statement.
@frozen
public struct Column: ~Copyable {
  @usableFromInline let value: OpaquePointer?
  @usableFromInline let statement: OpaquePointer
  @usableFromInline let index: Int32

  @inlinable
  init(_ statement: OpaquePointer, _ index: Int32) {
    self.value = sqlite3_column_value(statement, index)
    self.statement = statement
    self.index = index
  }

  @inlinable
  var type: Int32 { sqlite3_value_type(value) }

  /// The storage class of the value.
  public var storageClass: StorageClass { StorageClass(rawValue: type) ?? .null }

  /// Whether the value is NULL.
  @inlinable
  public var isNull: Bool { type == SQLITE_NULL }

  /// Passes the bytes of a text (as UTF-8) or a blob to `body` without copying them; NULL and
  /// numbers have none.
  @inlinable
  public func withBytes<T>(_ body: (Span<UInt8>) throws -> T) rethrows -> T {
    try body(bytes.span)
  }

  @inlinable
  var bytes: UnsafeBufferPointer<UInt8> {
    switch type {
    case SQLITE_TEXT: return text
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
      return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    default:
      return UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  // The pointer must be fetched before the count: fetching it may convert UTF-16 to UTF-8.
  @inlinable
  var text: UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  @inlinable
  func isSame(_ text: String.UTF8View, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == bytes.count else { return false }
    return openwo_is_ascii(bytes.baseAddress, bytes.count) || text.elementsEqual(bytes)
  }

  /// Reads a stored value and makes another one of it; both kinds of failure name `expected`.
  package func decode<Stored: ColumnDecodable, Result>(
    _: Stored.Type, _ expected: String, _ make: (Stored) throws -> Result?
  ) throws -> Result {
    guard let stored = try? Stored(column: self), let result = try make(stored) else {
      throw mismatch(expected: expected)
    }
    return result
  }

  @usableFromInline @inline(never)
  func mismatch(expected: String) -> any Error {
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? "\(index)"
    return SQLiteError(
      .mismatch, "column \(name) holds \(storageClass), not \(expected)",
      sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}

extension Int64: ColumnDecodable {
  /// Reads an integer.
  @inlinable
  public init(column: borrowing Column) throws {
    guard column.type == SQLITE_INTEGER else { throw column.mismatch(expected: "an integer") }
    self = sqlite3_value_int64(column.value)
  }
}

extension Int: ColumnDecodable {
  /// Reads an integer.
  @inlinable
  public init(column: borrowing Column) throws {
    self = Int(try Int64(column: column))
  }
}

extension Bool: ColumnDecodable {
  /// Reads an integer; all but 0 is true, as in SQL.
  @inlinable
  public init(column: borrowing Column) throws {
    self = try Int64(column: column) != 0
  }
}

extension Double: ColumnDecodable {
  /// Reads a number; an integer is converted.
  @inlinable
  public init(column: borrowing Column) throws {
    let type = column.type
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else {
      throw column.mismatch(expected: "a number")
    }
    self = sqlite3_value_double(column.value)
  }
}

extension String: ColumnDecodable {
  /// Reads text, which must be valid UTF-8.
  @inlinable
  public init(column: borrowing Column) throws {
    guard column.type == SQLITE_TEXT else { throw column.mismatch(expected: "text") }
    let bytes = column.text
    self = String(decoding: bytes, as: UTF8.self)
    // Decoding repairs what is not UTF-8; that would change the user's data unseen.
    guard column.isSame(utf8, bytes) else { throw column.mismatch(expected: "valid UTF-8") }
  }
}

extension [UInt8]: ColumnDecodable {
  /// Reads a blob.
  @inlinable
  public init(column: borrowing Column) throws {
    guard column.type == SQLITE_BLOB else { throw column.mismatch(expected: "a blob") }
    self = Array(column.bytes)
  }
}

extension Optional: ColumnDecodable where Wrapped: ColumnDecodable {
  /// Reads a value, or nil if the column is NULL.
  @inlinable
  public init(column: borrowing Column) throws {
    self = column.isNull ? nil : try Wrapped(column: column)
  }
}

extension Value: ColumnDecodable {
  /// Reads a value of any storage class.
  @inlinable
  public init(column: borrowing Column) throws {
    switch column.type {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(column.value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(column.value))
    case SQLITE_TEXT: self = .text(try String(column: column))
    case SQLITE_BLOB: self = .blob(Array(column.bytes))
    default: self = .null
    }
  }
}

extension ColumnDecodable where Self: RawRepresentable, RawValue: ColumnDecodable {
  /// Reads the raw value.
  @inlinable
  public init(column: borrowing Column) throws {
    guard let value = Self(rawValue: try RawValue(column: column)) else {
      throw column.mismatch(expected: "\(Self.self)")
    }
    self = value
  }
}
