import OpenWOFiles
package import OpenWOHistory
import SystemPackage

/// All versions as last listed: published ones and pending ones in the state folder.
struct VersionListing {
  private(set) var archive: ArchiveListing
  private(set) var graph: VersionGraph
  /// The captured versions that are not published yet.
  private(set) var pending: Set<VersionID>
  /// The latest stamp of all versions.
  private(set) var latest: HybridTime?
  /// The versions whose content cannot be put together from what is here, the pruned ones among them.
  private(set) var incomplete: Set<VersionID>
  /// All devices that made a version.
  private(set) var devices: Set<String>
  /// The signatures of the folders before the scan, in the archive's order; nil if they tell
  /// nothing.
  var folders: [FileSignature?]

  private let pendingFolder: FilePath

  init(_ archive: ArchiveListing, pendingFolder: FilePath, folders: [FileSignature?]) {
    self.archive = archive
    self.pendingFolder = pendingFolder
    self.folders = folders
    graph = archive.graph
    latest = graph.versions.lazy.map(\.at).max()
    incomplete = Self.incomplete(archive, graph)
    devices = Set(graph.versions.lazy.filter { !$0.isDerived }.map(\.device))
    let waiting = archive.stored.lazy.filter { $0.folder == pendingFolder }.map(\.version.id)
    pending = Set(waiting)
    if !pending.isEmpty {
      pending.subtract(
        archive.stored.lazy.filter { $0.folder != pendingFolder }.map(\.version.id))
    }
  }

  private static func incomplete(
    _ archive: ArchiveListing, _ graph: VersionGraph
  ) -> Set<VersionID> {
    Set(graph.versions.lazy.filter { !archive.holds($0.content) }.map(\.id))
  }

  /// The heads that count, without those whose content has not arrived.
  var arrivedHeads: [VersionGraph.EffectiveHead] {
    graph.effectiveHeads(without: incomplete.contains)
  }

  /// The version to fall back on: the live one, else the newest that is whole.
  func lastGood(live: VersionID?) -> Version? {
    if let live = live.flatMap({ graph[$0] }), archive.holds(live.content) { return live }
    return graph.newestFirst.first { archive.holds($0.content) }
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
  /// Adds a version that was just written to the state folder; `isForNow` if a scan would not find
  /// it.
  mutating func insert(_ file: StoredVersion, isForNow: Bool = false) {
    let held = archive.heldCount
    archive.insert(file, fromElsewhere: isForNow)
    if file.version.parents.allSatisfy(graph.contains) {
      graph.insert(file.version)
    } else {
      graph = archive.graph
    }
    pending.insert(file.version.id)
    // A content can be what others were waiting for.
    if !archive.holds(file.version.content) || archive.heldCount > held + 1 {
      incomplete = Self.incomplete(archive, graph)
    } else {
      incomplete.remove(file.version.id)
    }
    latest = max(latest ?? file.version.at, file.version.at)
    if !file.version.isDerived { devices.insert(file.version.device) }
  }

  /// Drops a version of this process that was just removed from the state folder.
  mutating func remove(_ file: StoredVersion) {
    let held = archive.heldCount
    archive.remove(file)
    graph.removeHead(file.version.id)
    pending.remove(file.version.id)
    incomplete.remove(file.version.id)
    if archive.heldCount < held - 1
      || archive.heldCount < held && graph.contains(content: file.version.content)
    {
      incomplete = Self.incomplete(archive, graph)
    }
  }
}

extension VersionGraph {
  /// A version together with the heads that count as one with it: the parents of its children.
  ///
  /// A child of a late twin does not follow from what others made of that content, so it names only
  /// the twins of its own content. A version that is missing for the moment is a parent all the
  /// same.
  package func family(of id: VersionID) -> [VersionID] {
    guard let version = self[id],
      // What somebody has gone on from counts as one with nothing.
      children(of: id).allSatisfy(\.isAside),
      let head = effectiveHeads.first(where: { $0.members.contains(version) })
    else { return [id] }
    let isCurrent = version.content == head.version.content
    return head.members.filter { isCurrent || $0.content == version.content }.map(\.id)
  }

  /// The versions that count as one with a version and have its content; none while that version is
  /// missing.
  func twins(of id: VersionID) -> [Version] {
    family(of: id).compactMap { self[$0] }.filter { $0.content == self[id]?.content }
  }

  /// Whether some version has this content.
  func contains(content: ContentHash) -> Bool { versions.contains { $0.content == content } }

  /// The version with this content that wins if there are several.
  package func latest(content: ContentHash) -> Version? {
    winner(among: versions.filter { $0.content == content })
  }
}
