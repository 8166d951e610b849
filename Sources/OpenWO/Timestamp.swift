import OpenWOFiles
import OpenWOHistory

/// A moment in milliseconds since 1970, written as RFC 3339 in UTC.
public struct Timestamp: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// Makes a moment from milliseconds since 1970.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Reads RFC 3339 in UTC with milliseconds, such as `2026-11-21T18:04:00.000Z`.
  public init?(_ text: String) {
    guard text.hasSuffix("Z"), let stamp = HybridTime(text.dropLast() + "0000Z") else { return nil }
    milliseconds = stamp.milliseconds
  }

  /// RFC 3339 in UTC with milliseconds.
  public var description: String { HybridTime(milliseconds: milliseconds).rfc3339 }

  /// Orders moments by time.
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Reads the RFC 3339 text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not RFC 3339")
    }
    self = value
  }

  /// Writes the RFC 3339 text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// How many milliseconds after another moment this one is.
  package func milliseconds(since other: Timestamp) -> Int64 {
    milliseconds.minus(other.milliseconds)
  }

  /// This moment moved by a number of milliseconds.
  package func advanced(byMilliseconds count: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds.plus(count))
  }

  /// The minutes by which local time is ahead of UTC at this moment, on this machine.
  public var minutesEast: Int64 { Terminal.minutesEast(at: milliseconds) }

  /// This moment plus a number of seconds.
  public func advanced(bySeconds seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds.plus(seconds.times(1000)))
  }
}
