@testable import OpenWOHistory

/// Values for tests.
enum Sample {
  static func facts(_ content: [UInt8] = [], pageSize: Int = 4096) -> ContentFacts {
    ContentFacts(
      hash: ContentHash(of: content), bytes: Int64(content.count), pageSize: pageSize,
      userVersion: 0, applicationID: 0)
  }

  static func version(
    _ content: [UInt8] = [], parents: [Version] = [], device: String = "laptop",
    at milliseconds: Int64 = 1000, reason: VersionReason = .write, note: String? = nil,
    pageSize: Int = 4096
  ) throws -> Version {
    try Version(
      facts: facts(content, pageSize: pageSize), parents: parents.map(\.id), device: device,
      deviceName: device, at: HybridTime(milliseconds: milliseconds), reason: reason, note: note)
  }

  /// An id that no version has.
  static func id(_ number: Int) -> VersionID { VersionID(Digest(hashing: Array("\(number)".utf8))) }
}
