extension Archive {
  /// Chooses how to store a new content: as pages that differ from a content in the archive, or in
  /// full.
  ///
  /// - Parameters:
  ///   - new: The new content.
  ///   - facts: The facts about it for the version's header.
  ///   - at: The stamp of the new version.
  ///   - old: The content from which the new one was made.
  ///   - pages: The pages that may differ between the two, from 1; nil to compare all bytes.
  ///   - source: The old content, if it can be read faster than from the archive.
  ///   - listing: The result of a scan.
  /// - Returns: The payload for ``write(_:_:into:durable:)``.
  /// - Throws: Errors of reading. If the archive does not have the whole old content, the payload
  ///   is full.
  package func payload(
    for new: any ContentSource, _ facts: ContentFacts, at: HybridTime, after old: ContentHash?,
    changed pages: [UInt32]?, source: (any ContentSource)? = nil, in listing: ArchiveListing
  ) throws -> NewPayload {
    guard let old, let chain = try? listing.chain(old),
      let place = PayloadChoice.base(
        in: chain, at: at, size: facts.bytes, pageSize: facts.pageSize)
    else { return .full(new) }
    let base = chain[place].version.content
    guard
      let below: any ContentSource = place == 0 && source != nil
        ? source : try? reader(base, in: listing)
    else { return .full(new) }
    var changed = pages
    if place > 0, let known = pages {
      changed = try pagesThatMayDiffer(base, old, in: listing).map { $0 + known }
    }
    let changes = PageChanges(from: below, base, to: new, pages: changed)
    let listed: [UInt32]
    do {
      listed = try changes.listed(pageSize: facts.pageSize)
    } catch is HistoryError {
      // The file of its base has other bytes than its header says.
      return .full(new)
    }
    if PayloadChoice.isMostlyNew(
      changed: listed.count, size: facts.bytes, pageSize: facts.pageSize)
    {
      return .full(new)
    }
    return .pages(PageChanges(from: below, base, to: new, pages: listed))
  }

  /// The pages that can be different in two contents, as far as the archive knows without comparing any bytes.
  ///
  /// - Parameters:
  ///   - one: A content.
  ///   - other: Another one.
  ///   - listing: The result of a scan.
  /// - Returns: Page numbers from 1, in ascending order; nil if the two rest on nothing they share.
  /// - Throws: As ``reader(_:in:)``.
  package func pagesThatMayDiffer(
    _ one: ContentHash, _ other: ContentHash, in listing: ArchiveListing
  ) throws -> [UInt32]? {
    let (left, right) = (try listing.chain(one), try listing.chain(other))
    let shared = Set(left.map(\.version.content)).intersection(right.map(\.version.content))
    var pages: Set<UInt32> = []
    for chain in [left, right] {
      guard let end = chain.firstIndex(where: { shared.contains($0.version.content) }) else {
        return nil
      }
      for stored in chain[..<end] { pages.formUnion(try layer(of: stored).index.pages) }
    }
    // Pages that only the larger of the two has may be in no list, when the other was cut.
    let (a, b) = (left[0].version, right[0].version)
    guard a.pageSize == b.pageSize else { return nil }
    let grid = PageGrid(pageSize: a.pageSize)
    pages.formUnion(grid.added(from: min(a.bytes, b.bytes), to: max(a.bytes, b.bytes)))
    return pages.sorted()
  }
}
