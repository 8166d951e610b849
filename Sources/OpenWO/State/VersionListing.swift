import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// All versions in reach, as they were last listed: published ones and those that wait in the state folder.
struct VersionListing {
  let archive: ArchiveListing
  let graph: VersionGraph
  /// The captured versions that are not published yet.
  let pending: Set<VersionID>
  /// How the folders looked before; nil when that tells nothing.
  var folders: [FileSignature?]?

  init(_ archive: ArchiveListing, pendingFolder: FilePath) {
    self.archive = archive
    graph = archive.graph
    let waiting = archive.stored.filter { $0.folder == pendingFolder }.map(\.version.id)
    let published = archive.stored.filter { $0.folder != pendingFolder }.map(\.version.id)
    pending = Set(waiting).subtracting(published)
  }

  /// The files of versions that wait to be published, parents before children.
  func waiting(in folder: FilePath) -> [StoredVersion] {
    let files = Dictionary(
      archive.stored.filter { $0.folder == folder }.map { ($0.version.id, $0) },
      uniquingKeysWith: { first, _ in first })
    return graph.newestFirst.reversed().compactMap { files[$0.id] }
  }
}

extension VersionGraph {
  /// A head together with those that count as one with it: the parents of what is made from it.
  func familyOfHead(_ id: VersionID?) -> [VersionID] {
    let heads = effectiveHeads
    guard let id, contains(id) else { return heads.first?.members.map(\.id) ?? [] }
    let family = heads.first { $0.members.contains { $0.id == id } }
    return family?.members.map(\.id) ?? [id]
  }

  /// Whether some version has this content.
  func contains(content: ContentHash) -> Bool { versions.contains { $0.content == content } }

  /// The version with this content that goes on when there are several.
  func latest(content: ContentHash) -> Version? {
    winner(among: versions.filter { $0.content == content })
  }
}
