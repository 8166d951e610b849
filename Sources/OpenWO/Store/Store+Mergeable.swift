import OpenWOHistory
import SystemPackage

/// The sides that can be merged; changes nothing.
extension Store {
  /// Conflict copies and versions whose rows are not all in the live version: heads, and what was
  /// left behind.
  func mergeable() throws -> [MergeSource] {
    let found = try conflictedCopies()
    let listing = try versions.listed()
    let graph = listing.graph
    let captured = graph.headsAside.compactMap(\.copyName)
    let copies = found.filter { $0.relation == .diverged && !captured.contains($0.path) }.map {
      MergeSource.file(paths.folder.appending($0.path))
    }
    let heads = graph.effectiveHeads.map(\.version)
    guard let live = try current() ?? graph.newestHead else { return copies }
    let lineage = Lineage(graph)
    let held = lineage.line(ofContent: live.content)
    let apart = Set(heads + lineage.leftBehind).filter {
      !held.contains($0.id) && !graph.isPruned($0.id) && $0.content != live.content
        && listing.archive.holds($0.content)
    }
    let tips = lineage.tips(among: apart).sorted { $1.loses(to: $0) }
    return copies + tips.map { .version($0.id) }
  }
}
