package import OpenWOSQLite

extension CellValue: ColumnDecodable {
  /// Reads a value of any storage class, text of any bytes included.
  package init(column: borrowing Column) throws {
    switch column.storageClass {
    case .null: self = .null
    case .integer: self = .integer(try Int64(column: column))
    case .real: self = .real(try Double(column: column))
    case .text: self = .text(Self.bytes(column))
    case .blob: self = .blob(Self.bytes(column))
    }
  }

  private static func bytes(_ column: borrowing Column) -> [UInt8] {
    column.withBytes { span in span.withUnsafeBufferPointer { Array($0) } }
  }
}

extension CellValue: Bindable {
  /// Binds the value in its own storage class; text that is no UTF-8 as a blob, for ``mark``.
  package func bind(to parameter: Parameter) throws {
    switch self {
    case .null: try Int64?.none.bind(to: parameter)
    case .integer(let value): try value.bind(to: parameter)
    case .real(let value): try value.bind(to: parameter)
    case .blob(let bytes): try bytes.bind(to: parameter)
    case .text(let bytes):
      if let string = String(validating: bytes, as: UTF8.self) {
        try string.bind(to: parameter)
      } else {
        try bytes.bind(to: parameter)
      }
    }
  }

  /// What stands for the value in a statement.
  var mark: String {
    guard case .text(let bytes) = self, String(validating: bytes, as: UTF8.self) == nil else {
      return "?"
    }
    return "CAST(? AS TEXT)"
  }
}
