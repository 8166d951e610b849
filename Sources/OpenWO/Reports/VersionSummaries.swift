import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// The changes of each version, counted once and kept in the state folder.
struct VersionSummaries: StorePart {
  let store: Store

  /// The summaries of versions, counted in their order as far as the budget goes.
  func count(
    _ ids: [VersionID], within budget: SummaryBudget = SummaryBudget()
  ) throws -> [VersionID: VersionSummary] {
    let listing = try versions.listed()
    var budget = budget
    var cache = SummaryCache.read(at: state.summaries, files)
    var found: [VersionID: VersionSummary] = [:]
    for id in ids {
      guard let version = listing.graph[id] else { continue }
      found[id] = summary(of: version, listing, &cache, &budget)
    }
    cache.write(to: state.summaries, keeping: listing.graph, files)
    return found
  }

  private func summary(
    of version: Version, _ listing: VersionListing, _ cache: inout SummaryCache,
    _ budget: inout SummaryBudget
  ) -> VersionSummary {
    guard listing.archive.holds(version.content) else { return .unread }
    let parents = versions.held(version.parents, listing)
    // Of a settlement it is the winner, and else the later writer.
    let twin = parents.first { $0.content == version.content }
    guard let before = twin ?? parents.first else { return .first }
    if twin != nil { return .counted(since: before.id, changes: [], schemaChanged: false) }
    if let known = cache[version.id, since: before.id] { return known }
    guard budget.takeOne() else { return .notYet }
    let summary =
      (try? count(version, since: before, listing, &budget)) ?? VersionSummary.unread
    cache.note(summary, of: version.id, since: before.id)
    return summary
  }

  private func count(
    _ version: Version, since before: Version, _ listing: VersionListing,
    _ budget: inout SummaryBudget
  ) throws -> VersionSummary {
    let pages = try versions.archive.pagesThatMayDiffer(
      before.content, version.content, in: listing.archive)
    if let pages {
      switch budget.take(Int64(pages.count) * Int64(version.pageSize)) {
      case .tooLarge: return .tooLarge
      case .notYet: return .notYet
      case .yes: break
      }
      let found = try Comparing(store: store).archivedDifference(
        from: .version(before.id), to: .version(version.id), .forReading())
      if let found { return VersionSummary(found, since: before.id) }
    }
    switch budget.take(before.bytes + version.bytes) {
    case .tooLarge: return .tooLarge
    case .notYet: return .notYet
    case .yes: return VersionSummary(try difference(from: before, to: version), since: before.id)
    }
  }

  /// The difference between two versions that need not share any page.
  private func difference(from before: Version, to version: Version) throws -> DatabaseDifference {
    let from = try open(before)
    defer { from.close() }
    let to = try open(version)
    defer { to.close() }
    return try OpenWOMerge.difference(from: from, to: to, options: .forReading())
  }

  private func open(_ version: Version) throws -> Connection {
    let reader = try versions.archive.reader(version.content, in: versions.listed().archive)
    return try Connection(contentOf: reader.size, read: reader.read)
  }
}

extension VersionSummary {
  fileprivate init(_ found: DatabaseDifference, since before: VersionID) {
    self = .counted(
      since: before, changes: found.changes, schemaChanged: !found.schemaChanges.isEmpty)
  }
}
