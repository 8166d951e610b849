/// One value of a row, in SQLite's storage classes.
///
/// In JSON, integers, texts, NULL and numbers with a fraction are written directly. Other values
/// are an object with one member: `{"real": "1.0"}` for a number without a fraction,
/// `{"blob": "00FF"}` for bytes, `{"bytes": "FF"}` for text that is not UTF-8.
public enum DataValue: Sendable, Hashable {
  /// NULL.
  case null
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text.
  case text(String)
  /// Text that is not valid UTF-8, which SQLite does not check.
  case invalidText([UInt8])
  /// Bytes.
  case blob([UInt8])
}

extension DataValue: Codable {
  private enum Key: String, CodingKey {
    case real, blob, bytes
  }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: Key.self) {
      self = try Self.read(keyed)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let integer = try? single.decode(Int64.self) {
      self = .integer(integer)
    } else if let real = try? single.decode(Double.self) {
      self = .real(real)
    } else {
      self = .text(try single.decode(String.self))
    }
  }

  private static func read(_ keyed: KeyedDecodingContainer<Key>) throws -> DataValue {
    if let text = try keyed.decodeIfPresent(String.self, forKey: .real), let real = Double(text) {
      return .real(real)
    }
    if let hex = try keyed.decodeIfPresent(String.self, forKey: .blob),
      let bytes = Hexadecimal.bytes(hex)
    {
      return .blob(bytes)
    }
    if let hex = try keyed.decodeIfPresent(String.self, forKey: .bytes),
      let bytes = Hexadecimal.bytes(hex)
    {
      return .invalidText(bytes)
    }
    throw DecodingError.dataCorrupted(
      .init(codingPath: keyed.codingPath, debugDescription: "not a value of a database"))
  }

  /// Writes the value so that reading it gives the same one.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var single = encoder.singleValueContainer()
      try single.encodeNil()
    case .integer(let integer):
      var single = encoder.singleValueContainer()
      try single.encode(integer)
    case .text(let text):
      var single = encoder.singleValueContainer()
      try single.encode(text)
    case .real(let real) where real.isFinite && real != real.rounded():
      var single = encoder.singleValueContainer()
      try single.encode(real)
    case .real(let real): try encode("\(real)", .real, encoder)
    case .blob(let bytes): try encode(Hexadecimal.text(bytes), .blob, encoder)
    case .invalidText(let bytes): try encode(Hexadecimal.text(bytes), .bytes, encoder)
    }
  }

  private func encode(_ text: String, _ key: Key, _ encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(text, forKey: key)
  }
}

extension DataValue: CustomStringConvertible {
  /// The value for people; long values are truncated.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text.utf8.count <= 60 ? "'\(text)'" : "'\(text.prefix(60))…'"
    case .invalidText(let bytes), .blob(let bytes):
      "x'\(Hexadecimal.text(Array(bytes.prefix(16))))\(bytes.count > 16 ? "…" : "")'"
    }
  }
}
