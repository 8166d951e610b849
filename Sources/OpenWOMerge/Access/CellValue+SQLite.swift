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
  /// Binds the value in its own storage class; text is bound unchanged, even if it is not UTF-8.
  package func bind(to parameter: Parameter) throws {
    switch self {
    case .null: try Int64?.none.bind(to: parameter)
    case .integer(let value): try value.bind(to: parameter)
    case .real(let value): try value.bind(to: parameter)
    case .blob(let bytes): try bytes.bind(to: parameter)
    case .text(let bytes): try Self.bind(text: bytes, to: parameter)
    }
  }

  private static func bind(text bytes: [UInt8], to parameter: Parameter) throws {
    // What SQLite would replace with U+FFFD.
    if StoredText.hasReplaced(bytes), let text = StoredText(rawValue: parameter.textEncoding),
      text != .utf8
    {
      return try (text.byteOrderMark + text.restore(bytes)).withUnsafeBytes {
        try parameter.bind(utf16: $0, isLittleEndian: text == .utf16LittleEndian)
      }
    }
    try bytes.withUnsafeBufferPointer { try parameter.bind(text: $0) }
  }
}
