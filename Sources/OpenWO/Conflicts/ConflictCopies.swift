import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The conflict copies beside the database; looking at them changes nothing.
struct ConflictCopies: StorePart {
  let store: Store

  /// All files that services have made there, by their names.
  func list() throws -> [ConflictedCopy] {
    try versions.refresh()
    let listing = try versions.listed()
    let head = listing.graph.newestHead?.content
    let detector = VersionDetector(store: store)
    let candidates = try detector.candidates()
    let services = Dictionary(
      candidates.compactMap { found in
        found.service.flatMap { $0 == .system ? nil : (found.file, $0) }
      },
      uniquingKeysWith: { first, _ in first })
    let twins = Set(candidates.filter(\.isTwin).map(\.file))
    let (found, unread) = try detector.lookAtCopies(listing)
    // The caller must not act as if there were no such copy.
    if let unread { throw unread }
    let planning = try planning(listing, found)
    let aside = Set(listing.graph.headsAside.map(\.content))
    return found.filter { $0.origin != .staging }.map { copy in
      let status = try? files.lstat(paths.folder.appending(copy.file.component))
      let relation: ConflictedCopy.Relation =
        switch copy.content {
        case nil: .unknown
        case let content? where content == head: .equal
        case let content? where aside.contains(content): .diverged
        case let content? where listing.graph.contains(content: content): .ancestor
        default: .diverged
        }
      return ConflictedCopy(
        path: copy.file.description, service: services[copy.file]?.rawValue, relation: relation,
        modifiedAt: status.map { Timestamp(nanoseconds: $0.mtime) } ?? copy.changedAt,
        problem: store.upkeep.copies.entries[copy.file]?.problem, need: planning.need(of: copy),
        isTwin: twins.contains(copy.file),
        unfinished: store.upkeep.copies.entries[copy.file]?.isUnfinished == true
          ? paths.folder.appending(copy.file.component) : nil)
    }
  }

  private func planning(_ listing: VersionListing, _ found: [Sighting.Copy]) throws -> Planning {
    var seen = Sighting(
      device: device.id, now: now, live: .missing(since: now), graph: listing.graph)
    (seen.copies, seen.incomplete) = (found, listing.incomplete)
    return Planning(seen: seen, policy: try rules.policy())
  }

  /// Files that are named like copies and are none, and what they are.
  func namesakes() throws -> [(file: FileName, problem: String)] {
    let detector = VersionDetector(store: store)
    _ = try detector.lookAtCopies(versions.listed())
    return try detector.candidates().compactMap { found in
      guard let entry = store.upkeep.copies.entries[found.file], entry.isForeign else { return nil }
      return (found.file, entry.problem ?? "it is another file")
    }
  }
}
