import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// All versions in reach, as they were last listed: published ones and those that wait in the state folder.
struct VersionListing {
  private(set) var archive: ArchiveListing
  private(set) var graph: VersionGraph
  /// The captured versions that are not published yet.
  private(set) var pending: Set<VersionID>
  /// The latest stamp of all versions.
  private(set) var latest: HybridTime?
  /// How the folders looked before, in the order of the archive's; nil where that tells nothing.
  var folders: [FileSignature?]

  private let pendingFolder: FilePath

  init(_ archive: ArchiveListing, pendingFolder: FilePath, folders: [FileSignature?]) {
    self.archive = archive
    self.pendingFolder = pendingFolder
    self.folders = folders
    graph = archive.graph
    latest = graph.versions.lazy.map(\.at).max()
    let waiting = archive.stored.lazy.filter { $0.folder == pendingFolder }.map(\.version.id)
    pending = Set(waiting)
    if !pending.isEmpty {
      pending.subtract(
        archive.stored.lazy.filter { $0.folder != pendingFolder }.map(\.version.id))
    }
  }

  /// The files in the state folder.
  var waitingFiles: [StoredVersion] { archive.stored.filter { $0.folder == pendingFolder } }

  /// The files of versions that wait to be published, parents before children.
  var waiting: [StoredVersion] {
    let files = Dictionary(
      waitingFiles.map { ($0.version.id, $0) }, uniquingKeysWith: { first, _ in first })
    guard files.count > 1 else { return Array(files.values) }
    return graph.newestFirst.reversed().compactMap { files[$0.id] }
  }
}

/// Following what this process itself writes, without a new scan.
extension VersionListing {
  /// Takes note of a version that was just written to the state folder.
  mutating func insert(_ file: StoredVersion) {
    archive.insert(file)
    if file.version.parents.allSatisfy(graph.contains) {
      graph.insert(file.version)
    } else {
      graph = archive.graph
    }
    pending.insert(file.version.id)
    latest = max(latest ?? file.version.at, file.version.at)
  }

  /// Takes note of a version of this process that was just removed from the state folder.
  mutating func remove(_ file: StoredVersion) {
    archive.remove(file)
    graph.removeHead(file.version.id)
    pending.remove(file.version.id)
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
