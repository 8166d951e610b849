extension Version {
  /// The bounds of the format: whatever is outside them is neither written nor read.
  package enum Limit {
    /// The most parents a version can have.
    package static let parents = 1024
    /// The most letters in the id of a device, so that file names stay under 120 bytes.
    package static let deviceBytes = 23
    /// The most bytes in the name of a device.
    package static let deviceNameBytes = 256
    /// The most letters in a reason.
    package static let reasonBytes = 32
    /// The most bytes in a note.
    package static let noteBytes = 4096
    /// The most stores that a merge lists.
    package static let joined = 64
    /// The most bytes in the members that not every openwo knows, in canonical form.
    package static let unknownBytes = 8192

    /// Whether the text can be the id of a device: 1 to 23 ASCII letters, digits, `-` and `_`.
    package static func isDevice(_ text: some StringProtocol) -> Bool {
      1...deviceBytes ~= text.utf8.count
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }

    /// The longest beginning of the text, in whole characters, that has no more than the given bytes.
    static func clip(_ text: String, to byteCount: Int) -> String {
      if text.utf8.count <= byteCount { return text }
      var kept = 0
      let end = text.indices.first { index in
        kept += text[index].utf8.count
        return kept > byteCount
      }
      return String(text[..<(end ?? text.endIndex)])
    }

    static func check(_ fields: Fields) throws(HistoryError) {
      guard fields.parents.count <= parents else { throw .malformed("it has too many parents") }
      guard zip(fields.parents, fields.parents.dropFirst()).allSatisfy(<) else {
        throw .malformed("its parents are not sorted and unique")
      }
      guard isDevice(fields.device) else { throw .malformed("its device is not a device id") }
      guard fields.deviceName.utf8.count <= deviceNameBytes else {
        throw .malformed("its device name is too long")
      }
      guard 1...reasonBytes ~= fields.reason.rawValue.utf8.count,
        fields.reason.rawValue.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
      else { throw .malformed("its reason is not a word") }
      guard (fields.note?.utf8.count ?? 0) <= noteBytes else {
        throw .malformed("its note is too long")
      }
      guard (fields.unknown?.count ?? 0) <= unknownBytes else {
        throw .malformed("it has too much in fields that nobody knows")
      }
      guard 0...ContentFacts.byteLimit ~= fields.facts.bytes else {
        throw .malformed("its size is implausible")
      }
      guard ContentFacts.isPageSize(fields.facts.pageSize) else {
        throw .malformed("its page size is none that SQLite has")
      }
    }
  }
}
