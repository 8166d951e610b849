import OpenWOFiles
import SystemPackage

@testable import OpenWO
@testable import OpenWOHistory

/// Facts for the decisions of commands; none of them comes from a file system.
enum DecisionScene {
  static let paths = StorePaths(database: "/diary/diary.db", stateRoot: "/state")

  static func day(_ number: Int64) -> Timestamp {
    Timestamp(milliseconds: number * 24 * 3_600_000)
  }

  static func version(
    _ content: String, from parents: Version..., device: String = "phone", day number: Int64 = 1,
    reason: VersionReason = .write
  ) throws -> Version {
    try Version(
      facts: ContentFacts(
        hash: Scene.content(content), bytes: 4096, pageSize: 4096, userVersion: 0,
        applicationID: 0),
      parents: parents.map(\.id), device: device, deviceName: device,
      at: HybridTime(milliseconds: day(number).milliseconds), reason: reason)
  }

  static func device(_ id: String, head: Version? = nil, seen number: Int64 = 1) -> DeviceRecord {
    DeviceRecord(
      format: DeviceRecord.currentFormat, id: id, name: "the \(id)", head: head?.id,
      lastSeen: day(number), acknowledged: [], revoked: [])
  }

  static func lock(of device: String) -> StoreLock {
    StoreLock(
      id: "1a2b3c4d", device: device, deviceName: device, user: "u", host: "h",
      program: "openwo lock", since: day(1), until: nil)
  }

  /// All versions as whole files in the companion.
  static func listing(_ versions: [Version]) -> VersionListing {
    let files = versions.map { version in
      StoredVersion(
        version: version, payload: .full, folder: paths.versions, payloadOffset: 500,
        fileSize: 4596)
    }
    let named = Dictionary(
      uniqueKeysWithValues: files.map { ($0.fileName, ArchiveFile.version($0)) })
    let archive = ArchiveListing(
      folders: [paths.versions], files: [paths.versions: named], problems: [], remembering: [])
    return VersionListing(archive, pendingFolder: "/state/pending", folders: [])
  }

  /// The code of the refusal; nil if there is none.
  static func refusal(_ decide: () throws -> some Any) -> StoreError.Code? {
    do {
      _ = try decide()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }
}
