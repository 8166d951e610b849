import OpenWOHistory

/// A person's name for a version: the beginning of its id, `@` for the live one, `@~2` for two
/// before, or a time.
enum VersionName: Sendable, Hashable {
  case prefix(String)
  case before(Int)
  case at(Timestamp)

  /// Reads a name; nil if it is none of these.
  ///
  /// A time without an offset is meant in the person's zone.
  init?(_ text: String, now: Timestamp, zone: LocalZone = .fixed(0)) {
    if text == "@" {
      self = .before(0)
    } else if text.hasPrefix("@~"), let count = Int(text.dropFirst(2)), count >= 0 {
      self = .before(count)
    } else if let moment = SpokenMoment(now: now, zone: zone).read(text) {
      self = .at(moment)
    } else if (4...64).contains(text.utf8.count), text.utf8.allSatisfy(VersionName.isHex) {
      self = .prefix(text.lowercased())
    } else {
      return nil
    }
  }

  static func isHex(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
