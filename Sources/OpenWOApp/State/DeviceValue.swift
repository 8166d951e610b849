/// One value that stays on this device.
public enum DeviceValue: Sendable, Hashable, Codable {
  /// Yes or no.
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// Text.
  case text(String)

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if let bool = try? single.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? single.decode(Int64.self) {
      self = .integer(integer)
    } else {
      self = .text(try single.decode(String.self))
    }
  }

  /// Writes the value as JSON.
  public func encode(to encoder: any Encoder) throws {
    var single = encoder.singleValueContainer()
    switch self {
    case .bool(let bool): try single.encode(bool)
    case .integer(let integer): try single.encode(integer)
    case .text(let text): try single.encode(text)
    }
  }

  /// The value if it is yes or no, else nil.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The value if it is a whole number, else nil.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  /// The value if it is text, else nil.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
}
