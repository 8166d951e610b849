/// The name of a version file: `<time>-<device>-<id>.<payload>`.
///
/// It has fewer than 120 bytes, all of them ASCII letters, digits, `.`, `-` and `_`.
package struct VersionFileName: Hashable, Sendable {
  /// When the version was made.
  package let at: HybridTime
  /// The id of the device that made it.
  package let device: String
  /// The id of the version.
  package let id: VersionID
  /// How the file stores it.
  package let payload: Payload.Kind

  /// The name of a version's file.
  package init(_ version: Version, _ payload: Payload.Kind) {
    (at, device, id) = (version.at, version.device, version.id)
    self.payload = payload
  }

  /// Reads a file name; nil if it is none of a version file.
  package init?(_ text: String) {
    guard let parts = ArchiveFileName(text), let payload = Payload.Kind(rawValue: parts.kind) else {
      return nil
    }
    (at, device, id) = (parts.at, parts.device, VersionID(parts.digest))
    self.payload = payload
  }

  /// The name as text.
  package var text: String {
    ArchiveFileName(at: at, device: device, digest: id.digest, kind: payload.rawValue).text
  }
}

/// The form of all names in the archive: `<time>-<device>-<digest>.<kind>`.
struct ArchiveFileName {
  let at: HybridTime
  let device: String
  let digest: Digest
  let kind: String

  private static let timeCount = 24
  private static let digestCount = 64

  init(at: HybridTime, device: String, digest: Digest, kind: String) {
    (self.at, self.device, self.digest, self.kind) = (at, device, digest, kind)
  }

  init?(_ text: String) {
    let bytes = text.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
      let digestStart = bytes.index(
        dot, offsetBy: -Self.digestCount, limitedBy: bytes.startIndex),
      let timeEnd = bytes.index(
        bytes.startIndex, offsetBy: Self.timeCount, limitedBy: digestStart),
      bytes.distance(from: timeEnd, to: digestStart) > 2, bytes[timeEnd] == UInt8(ascii: "-"),
      bytes[bytes.index(before: digestStart)] == UInt8(ascii: "-")
    else { return nil }
    let device = text[bytes.index(after: timeEnd)..<bytes.index(before: digestStart)]
    guard Version.Limit.isDevice(device), let digest = Digest(hex: text[digestStart..<dot]),
      let at = HybridTime(compact: text[..<timeEnd])
    else { return nil }
    self.init(
      at: at, device: String(device), digest: digest,
      kind: String(text[bytes.index(after: dot)...]))
  }

  var text: String { "\(at.compact)-\(device)-\(digest).\(kind)" }
}
