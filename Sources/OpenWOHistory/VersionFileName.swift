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

  private static let timeCount = 24
  private static let idCount = 64

  /// The name of a version's file.
  package init(_ version: Version, _ payload: Payload.Kind) {
    (at, device, id) = (version.at, version.device, version.id)
    self.payload = payload
  }

  /// Reads a file name; nil when it is none of a version file.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let (dash, dot) = (UInt8(ascii: "-"), UInt8(ascii: "."))
    guard let end = bytes.lastIndex(of: dot), end > Self.timeCount + Self.idCount + 2 else {
      return nil
    }
    let (deviceStart, idStart) = (Self.timeCount + 1, end - Self.idCount)
    guard bytes[deviceStart - 1] == dash, bytes[idStart - 1] == dash else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    guard let at = HybridTime(compact: part(0..<Self.timeCount)),
      let id = VersionID(part(idStart..<end)),
      let payload = Payload.Kind(rawValue: part(end + 1..<bytes.count)),
      Version.Limit.isDevice(part(deviceStart..<idStart - 1))
    else { return nil }
    (self.at, self.id, self.payload) = (at, id, payload)
    device = part(deviceStart..<idStart - 1)
  }

  /// The name as text.
  package var text: String { "\(at.compact)-\(device)-\(id).\(payload.rawValue)" }
}
