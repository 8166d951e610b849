import FoundationEssentials
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// What this device knows of a live file: which version it is a copy of, and how the file looked then.
///
/// The record is a hint that saves reading the database. It is believed only while the file's signature is the recorded one and the machine
/// has not been started anew, since a power failure may take a file's bytes and keep its times. Losing it costs one reading of the file.
struct LocalRecord: Sendable, Hashable {
  /// The version that the live file is a copy of.
  var current: VersionID
  /// The live file's signature when it had that version's content.
  var signature: FileSignature
  /// The digests of the live file's blocks; their root is its content.
  var digests: BlockDigests

  /// The live file's content.
  var content: ContentHash { digests.root }
}

/// The record as a file: a line of JSON, then the digests.
extension LocalRecord {
  private struct Head: Codable {
    var boot: String
    var content: String
    var current: String
    var signature: FileSignature
  }

  /// The most that is read: digests of a database of 2 TiB.
  private static let limit = 1 << 30

  /// Reads the record; nil when there is none that can be believed.
  static func load(_ path: FilePath, boot: String, _ files: FileSystem) -> LocalRecord? {
    guard let bytes = try? files.readSmall(path, limit: limit),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])),
      head.boot == boot, let current = VersionID(head.current),
      let digests = BlockDigests(bytes: Array(bytes[(end + 1)...]), size: head.signature.size),
      digests.root.description == head.content
    else { return nil }
    return LocalRecord(current: current, signature: head.signature, digests: digests)
  }

  /// Writes the record so that a reader sees the old one or the new one; not durable, as it is not believed after a new start.
  func save(_ path: FilePath, boot: String, _ files: FileSystem) throws {
    let head = Head(
      boot: boot, content: content.description, current: current.description, signature: signature)
    let line = try [UInt8](JSONEncoder().encode(head)) + [UInt8(ascii: "\n")]
    try AtomicFile.write(line + digests.bytes, to: path, durable: false, fileSystem: files)
  }
}
