/// A value of any of SQLite's five storage classes.
///
/// See <https://sqlite.org/datatype3.html>.
public enum Value: Sendable, Hashable {
  /// No value.
  case null
  /// A 64-bit integer.
  case integer(Int64)
  /// A 64-bit floating point number.
  case real(Double)
  /// Text, which may contain U+0000.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

/// SQLite's five storage classes.
public enum StorageClass: Int32, Sendable {
  /// A 64-bit integer.
  case integer = 1
  /// A 64-bit floating point number.
  case real
  /// Text.
  case text
  /// Bytes.
  case blob
  /// No value.
  case null
}
