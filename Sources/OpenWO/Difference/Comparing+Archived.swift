import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// The difference between two versions, read directly from the archive.
///
/// The payloads show which pages differ, so the cost depends on the changes and not on the size of
/// the database. Every byte is checked against a content hash: the digests of both contents follow
/// from the recorded ones of the live file and the blocks that differ from it, their roots must be
/// the content hashes, and each block that is read must have its digest.
extension Comparing {
  /// The difference; nil if it cannot be found in this way, or anything is in doubt.
  func archivedDifference(
    from old: DatabaseState, to new: DatabaseState, _ options: DifferenceOptions
  ) throws -> DatabaseDifference? {
    guard let before = try archivedContent(old), let after = try archivedContent(new) else {
      return nil
    }
    do {
      return try archivedDifference(before, after, options)
    } catch is SQLiteError {
      return nil
    } catch is HistoryError {
      return nil
    } catch is FileError {
      return nil
    }
  }

  private func archivedDifference(
    _ old: ContentHash, _ new: ContentHash, _ options: DifferenceOptions
  ) throws -> DatabaseDifference? {
    let listing = try versions.listed().archive
    guard old != new, let baseline = workingCopy.baseline, listing.holds(baseline.content),
      listing.holds(old),
      listing.holds(new),
      let pages = try versions.archive.pagesThatMayDiffer(old, new, in: listing),
      let before = try proven(old, by: baseline, listing),
      let after = try proven(new, by: baseline, listing, twin: (before, pages))
    else { return nil }
    var differing = PageSet(pageCount: Int(pages.last ?? 0))
    for page in pages { differing.insert(page) }
    var options = options
    options.differingPages = differing
    let from = try Connection(contentOf: before.size, read: before.read)
    defer { from.close() }
    let to = try Connection(contentOf: after.size, read: after.read)
    defer { to.close() }
    return try difference(from: from, to: to, options: options)
  }

  /// A content whose digests are proven to be those of its hash; nil if they are not.
  private func proven(
    _ content: ContentHash, by baseline: Baseline, _ listing: ArchiveListing,
    twin: (content: CheckedContent, differing: [UInt32])? = nil
  ) throws -> CheckedContent? {
    guard let version = try listing.chain(content).first?.version,
      let pages = try versions.archive.pagesThatMayDiffer(content, baseline.content, in: listing)
    else { return nil }
    let reader = try versions.archive.reader(content, in: listing)
    let changed = BlockDigests.blocks(holding: pages, pageSize: version.pageSize)
    var digests = baseline.digests
    try digests.update(size: reader.size, changed: changed, read: reader.read)
    guard digests.root == content else { return nil }
    let other = twin.map {
      (
        content: $0.content,
        differing: Set(BlockDigests.blocks(holding: $0.differing, pageSize: version.pageSize))
      )
    }
    return CheckedContent(reader, digests: digests, checked: changed, twin: other)
  }

  /// The content of a state that is a version, or the live file while it is known to be one.
  private func archivedContent(_ state: DatabaseState) throws -> ContentHash? {
    switch state {
    case .version(let id): return try versions.listed().graph[id]?.content
    case .live:
      guard try coordinator.lockInSight() == nil, try workingCopy.isUntouched()
      else { return nil }
      return workingCopy.content
    case .file: return nil
    }
  }
}
