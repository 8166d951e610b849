/// Takes an `Encodable` value apart into columns, by the names of its properties.
///
/// A property whose type is ``Bindable`` is bound as such, and nil is NULL. Any other one is encoded
/// as a single value, such as an enumeration with raw values. It is the reverse of `RowDecoder`.
final class RowEncoder: Encoder {
  /// A column and the value for it.
  typealias Column = (name: String, value: any Bindable)

  /// The columns in the order of the properties.
  fileprivate(set) var columns: [Column] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The columns of a value.
  ///
  /// - Throws: ``SQLiteError`` with ``ResultCode/mismatch`` for a value that is no row, or a property
  ///   that no column can hold.
  static func columns(of record: some Encodable) throws -> [Column] {
    let encoder = RowEncoder()
    try record.encode(to: encoder)
    guard !encoder.columns.isEmpty else { throw cannotEncode("it has no properties") }
    return encoder.columns
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RowColumns<Key>(row: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoPlace(why: "a row is no list") }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    NoPlace(why: "a row is no single value")
  }
}

private func cannotEncode(_ why: String) -> SQLiteError { SQLiteError(.mismatch, why) }

/// A row as a container whose keys are the names of its columns.
private struct RowColumns<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let row: RowEncoder

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { row.columns.append((key.stringValue, Value.null)) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let column = ColumnEncoder(name: key.stringValue)
    try column.encode(value)
    row.columns.append((key.stringValue, column.value))
  }

  // The standard library's own leave out what is nil, so that an update would keep an old value.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeAny(value, key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encodeAny(value, key)
  }

  private func encodeAny(_ value: (some Encodable)?, _ key: Key) throws {
    guard let value else { return encodeNil(forKey: key) }
    try encode(value, forKey: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(NoPlaces<Nested>(column: key.stringValue))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NoPlace(column: key.stringValue)
  }

  func superEncoder() -> any Encoder { row }
  func superEncoder(forKey key: Key) -> any Encoder { row }
}

/// One column of a row.
private final class ColumnEncoder: Encoder, SingleValueEncodingContainer {
  let name: String
  private(set) var value: any Bindable = Value.null

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(name: String) { self.name = name }

  func encodeNil() { value = Value.null }

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as any Bindable: self.value = value
    case let value as Float: self.value = Double(value)
    case let value as any BinaryInteger:
      guard let integer = Int64(exactly: value) else {
        throw cannotEncode("\(value) does not fit the column \(name)")
      }
      self.value = integer
    default: try value.encode(to: self)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NoPlaces<Key>(column: name))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoPlace(column: name) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// A list, or a single value, where none can be: whatever is put into it is an error.
private struct NoPlace: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let why: String

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  init(why: String) { self.why = why }
  init(column: String) { why = "the column \(column) holds no list" }

  func encodeNil() throws { throw cannotEncode(why) }
  func encode<T: Encodable>(_ value: T) throws { throw cannotEncode(why) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(NoPlaces<Nested>(why: why))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RowEncoder() }
}

/// A value with properties of its own where none can be.
private struct NoPlaces<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let why: String

  var codingPath: [any CodingKey] { [] }

  init(why: String) { self.why = why }
  init(column: String) { why = "the column \(column) holds no row" }

  func encodeNil(forKey key: Key) throws { throw cannotEncode(why) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw cannotEncode(why) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(NoPlaces<Nested>(why: why))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NoPlace(why: why) }
  func superEncoder() -> any Encoder { RowEncoder() }
  func superEncoder(forKey key: Key) -> any Encoder { RowEncoder() }
}
