/// In JSON, ids and hashes are their 64 hexadecimal digits.
extension VersionID: Codable {
  /// Reads the digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let id = VersionID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no version id")
    }
    self = id
  }

  /// Writes the digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension ContentHash: Codable {
  /// Reads the digits.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let hash = ContentHash(hex: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no content hash")
    }
    self = hash
  }

  /// Writes the digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
