import OpenWOHistory
import SystemPackage

/// The sides that can be merged; changes nothing.
struct MergeableSides: StorePart {
  let store: Store

  /// Conflict copies and versions whose rows are not all in the live version: heads, and what was
  /// left behind.
  func all() throws -> [MergeSource] {
    let found = try ConflictCopies(store: store).list()
    let listing = try versions.listed()
    let graph = listing.graph
    let captured = graph.headsAside.compactMap(\.copyName)
    let copies = found.filter { $0.relation == .diverged && !captured.contains($0.path) }.map {
      MergeSource.file(paths.folder.appending($0.path))
    }
    let heads = graph.effectiveHeads.map(\.version)
    guard let live = try workingCopy.currentVersion() ?? graph.newestHead else { return copies }
    let sides = heads + Lineage(graph).leftBehind
    return copies + listing.apart(from: live, among: sides).map { .version($0.id) }
  }
}

extension VersionListing {
  /// Those of some versions whose rows are in no other of them, nor in the live version, and can be merged; the later ones first.
  func apart(from live: Version, among sides: [Version]) -> [Version] {
    if sides.isEmpty { return [] }
    let lineage = Lineage(graph)
    let held = lineage.line(ofContent: live.content)
    let apart = Set(sides).filter {
      !held.contains($0.id) && !graph.isPruned($0.id) && $0.content != live.content
        && archive.holds($0.content)
    }
    return lineage.tips(among: apart).sorted { $1.loses(to: $0) }
  }
}
