import OpenWOFiles
import OpenWOHistory
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The counted changes of versions, kept in the state folder for convenience.
///
/// An unreadable file counts as none, and an older openwo leaves the file alone.
struct SummaryCache: Codable {
  /// The changes of one version.
  struct Entry: Codable {
    /// The version since which it was counted; with another one before it the entry is of no use.
    var since: VersionID
    var changes: [TableChange]
    var schemaChanged: Bool
    var isTooLarge: Bool

    init(since: VersionID, _ summary: VersionSummary) {
      self.since = since
      (changes, schemaChanged) = ([], false)
      isTooLarge = summary == .tooLarge
      if case .counted(_, let changes, let schemaChanged) = summary {
        (self.changes, self.schemaChanged) = (changes, schemaChanged)
      }
    }

    var summary: VersionSummary {
      isTooLarge
        ? .tooLarge : .counted(since: since, changes: changes, schemaChanged: schemaChanged)
    }
  }

  /// The most that is read and written, in bytes: some ten thousand versions.
  private static var limit: Int { 8 * 1024 * 1024 }

  private var versions: [String: Entry] = [:]
  private var isChanged = false

  private enum CodingKeys: CodingKey { case versions }

  /// The known changes of a version since another one.
  subscript(id: VersionID, since before: VersionID) -> VersionSummary? {
    guard let entry = versions[id.description], entry.since == before else { return nil }
    return entry.summary
  }

  /// Notes what a version changed, if that was found out for good.
  mutating func note(_ summary: VersionSummary, of id: VersionID, since before: VersionID) {
    switch summary {
    case .counted, .tooLarge: break
    case .first, .notYet, .unread: return
    }
    versions[id.description] = Entry(since: before, summary)
    isChanged = true
  }

  /// Reads what was counted before.
  static func read(at path: FilePath, _ files: FileSystem) -> SummaryCache {
    guard let bytes = try? files.readSmall(path, limit: limit) else { return SummaryCache() }
    return (try? JSONDecoder().decode(SummaryCache.self, from: Data(bytes))) ?? SummaryCache()
  }

  /// Writes what is new in it, without versions that are gone; on a disk that cannot be written it is counted again.
  mutating func write(to path: FilePath, keeping graph: VersionGraph, _ files: FileSystem) {
    guard isChanged else { return }
    let kept = Set(graph.versions.map(\.id.description))
    versions = versions.filter { kept.contains($0.key) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self), data.count <= Self.limit else { return }
    try? AtomicFile.write([UInt8](data), to: path, durable: false, fileSystem: files)
  }
}

extension StatePaths {
  /// The counted changes of versions.
  var summaries: FilePath { root.appending("summaries.json") }
}
