import OpenWOCSQLite

/// Makes a `Decodable` value of the current row, by the names of its columns.
///
/// A property whose type is ``ColumnDecodable`` is read as such; any other one is decoded from its column as a single value, such as
/// an enumeration with raw values.
struct RowDecoder: Decoder {
  let statement: Statement

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedRow<Key>(statement: statement))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw statement.cannotDecode("a row is no list")
  }

  /// The first column, for values that are one.
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ColumnDecoder(statement: statement, index: 0)
  }
}

/// A row as a container whose keys are the names of its columns.
private struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let statement: Statement

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { statement.columnNames.compactMap(Key.init) }

  private func column(_ key: Key) throws -> Int32 {
    Int32(truncatingIfNeeded: try statement.column(named: key.stringValue))
  }

  private func read<T: ColumnDecodable>(_ key: Key) throws -> T {
    try T(column: Column(statement.handle, try column(key)))
  }

  private func readInteger<T: FixedWidthInteger>(_ key: Key) throws -> T {
    try statement.integer(at: try column(key))
  }

  func contains(_ key: Key) -> Bool {
    // A missing column is an error, not a missing value: select NULL for that.
    true
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    Column(statement.handle, try column(key)).isNull
  }

  func decode(_: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_: Float.Type, forKey key: Key) throws -> Float { Float(try read(key) as Double) }
  func decode(_: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try readInteger(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try readInteger(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try readInteger(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try readInteger(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try readInteger(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try readInteger(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try readInteger(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try readInteger(key) }

  func decode<T: Decodable>(_: T.Type, forKey key: Key) throws -> T {
    try ColumnDecoder(statement: statement, index: try column(key)).decode(T.self)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw statement.cannotDecode("a column holds no row")
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw statement.cannotDecode("a column holds no list")
  }

  func superDecoder() throws -> any Decoder { RowDecoder(statement: statement) }
  func superDecoder(forKey key: Key) throws -> any Decoder { RowDecoder(statement: statement) }
}

/// One column of the current row.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let statement: Statement
  let index: Int32

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw statement.cannotDecode("a column holds no row")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw statement.cannotDecode("a column holds no list")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  private func read<T: ColumnDecodable>(_: T.Type = T.self) throws -> T {
    try T(column: Column(statement.handle, index))
  }

  func decodeNil() -> Bool { Column(statement.handle, index).isNull }
  func decode(_: Bool.Type) throws -> Bool { try read() }
  func decode(_: String.Type) throws -> String { try read() }
  func decode(_: Double.Type) throws -> Double { try read() }
  func decode(_: Float.Type) throws -> Float { Float(try read(Double.self)) }
  func decode(_: Int.Type) throws -> Int { try read() }
  func decode(_: Int64.Type) throws -> Int64 { try read() }
  func decode(_: Int8.Type) throws -> Int8 { try statement.integer(at: index) }
  func decode(_: Int16.Type) throws -> Int16 { try statement.integer(at: index) }
  func decode(_: Int32.Type) throws -> Int32 { try statement.integer(at: index) }
  func decode(_: UInt.Type) throws -> UInt { try statement.integer(at: index) }
  func decode(_: UInt8.Type) throws -> UInt8 { try statement.integer(at: index) }
  func decode(_: UInt16.Type) throws -> UInt16 { try statement.integer(at: index) }
  func decode(_: UInt32.Type) throws -> UInt32 { try statement.integer(at: index) }
  func decode(_: UInt64.Type) throws -> UInt64 { try statement.integer(at: index) }

  func decode<T: Decodable>(_: T.Type) throws -> T {
    if let type = T.self as? any ColumnDecodable.Type, let value = try read(type) as? T {
      return value
    }
    return try T(from: self)
  }
}

extension Statement {
  /// An integer of any width; one that does not fit is an error.
  fileprivate func integer<T: FixedWidthInteger>(at index: Int32) throws -> T {
    let column = Column(handle, index)
    guard let value = T(exactly: try Int64(column: column)) else {
      throw column.mismatch(expected: "a number that fits \(T.self)")
    }
    return value
  }

  fileprivate func cannotDecode(_ why: String) -> any Error {
    SQLiteError(.mismatch, why, sql: sql)
  }
}

extension Connection {
  /// Makes a `Decodable` value of each row by the names of its columns: the query has a column for
  /// each property.
  ///
  /// A type that is also ``RowDecodable`` is made that way, which is faster.
  @_disfavoredOverload
  public func rows<T: Decodable, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, as: T.Type
  ) throws -> [T] {
    let statement = try cached(sql)
    return try statement.rows(repeat each arguments) { _ in
      try T(from: RowDecoder(statement: statement))
    }
  }

  /// Makes a `Decodable` value of the first row, if there is one.
  @_disfavoredOverload
  public func row<T: Decodable, each A: Bindable>(
    _ sql: String, _ arguments: repeat each A, as: T.Type
  ) throws -> T? {
    let statement = try cached(sql)
    return try statement.row(repeat each arguments) { _ in
      try T(from: RowDecoder(statement: statement))
    }
  }
}
