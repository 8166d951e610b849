public import OpenWOCSQLite

/// A value that can be bound to a parameter of a statement.
///
/// A type of your own conforms by binding one of the types that SQLite knows.
public protocol Bindable {
  /// Binds the value to one parameter.
  func bind(to parameter: Parameter) throws
}

extension Int64: Bindable {
  /// Binds an integer.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try parameter.check(sqlite3_bind_int64(parameter.handle, parameter.index, self))
  }
}

extension Int: Bindable {
  /// Binds an integer.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try Int64(self).bind(to: parameter)
  }
}

extension Bool: Bindable {
  /// Binds 1 or 0.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try Int64(self ? 1 : 0).bind(to: parameter)
  }
}

extension Double: Bindable {
  /// Binds a number; SQLite makes NULL of NaN.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try parameter.check(sqlite3_bind_double(parameter.handle, parameter.index, self))
  }
}

extension String: Bindable {
  /// Binds text with its length, so U+0000 is kept.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    let bound: Void? = try utf8.withContiguousStorageIfAvailable { try parameter.bind(text: $0) }
    if bound == nil { try String(decoding: utf8, as: UTF8.self).bind(to: parameter) }
  }
}

extension [UInt8]: Bindable {
  /// Binds bytes; no bytes are an empty blob, not NULL.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try withUnsafeBufferPointer { try parameter.bind(blob: $0) }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  /// Binds the value, or NULL.
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    switch self {
    case .some(let value): try value.bind(to: parameter)
    case .none: try parameter.check(sqlite3_bind_null(parameter.handle, parameter.index))
    }
  }
}

extension Value: Bindable {
  /// Binds the value in its own storage class.
  @inlinable @inline(__always)
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
  @inlinable @inline(__always)
  public func bind(to parameter: Parameter) throws {
    try rawValue.bind(to: parameter)
  }
}
