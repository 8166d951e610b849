import OpenWOHistory

/// Finds the parent of an unknown live file by its pages.
///
/// An edit leaves most pages unchanged, so the best candidate is the version with the most
/// identical pages at the same places. Of two equal candidates the older one is taken: guessing too
/// old only makes a rival, but guessing too new would hide another device's work. For the same
/// reason a candidate must have a lower change counter than the content: two edits of one state
/// share most pages, but neither follows from the other.
struct Kinship {
  let store: Store
  let listing: VersionListing

  /// The largest number of versions with which a content is compared.
  private static var mostCandidates: Int { 6 }
  /// How many pages an edit of one row may rewrite in the smallest database.
  ///
  /// The first page, the table's root, a leaf that is full, and the neighbour that takes over some
  /// of its rows.
  private static var rewrittenAnyway: Int { 4 }
  /// The place of the change counter in the first page; every commit increases it.
  private static var counterPlace: Range<Int> { 24..<28 }

  /// Holds a live file's pages against those of the versions that it may have been made from.
  func find(for content: LiveContent, pageSize: Int) throws -> Evidence.Pages {
    // A version may be gone if another process of this device has just replaced it by its
    // successor.
    var (versions, readers): ([Version], [ContentReader]) = ([], [])
    for version in candidates() where version.pageSize == pageSize {
      guard let reader = try? store.versions.archive.reader(version.content, in: listing.archive)
      else {
        continue
      }
      versions.append(version)
      readers.append(reader)
    }
    let shared = try sharedPages(of: content, pageSize: pageSize, with: readers)
    var finding = Evidence.Pages()
    if let place = versions.firstIndex(where: { $0.id == store.workingCopy.current }) {
      finding.mayFollowCurrent = shared[place] != nil
    }
    let most = shared.compactMap(\.self).max() ?? 0
    guard most > 0 else { return finding }
    finding.sharesMost = (2 * most + Self.rewrittenAnyway) * pageSize >= content.size
    let nearest = versions.indices.filter { shared[$0] == most }.map { versions[$0].id }
    finding.base = nearest.first { id in
      nearest.allSatisfy { $0 == id || listing.graph.isAncestor(id, of: $0) }
    }
    return finding
  }

  /// How many pages each version has in common with a content; nil for one that it cannot have been made from.
  private func sharedPages(
    of content: LiveContent, pageSize: Int, with readers: [ContentReader]
  ) throws -> [Int?] {
    var shared = [Int?](repeating: 0, count: readers.count)
    var open = Set(readers.indices)
    let (page, other) = (PageBuffer(byteCount: pageSize), PageBuffer(byteCount: pageSize))
    let (bytes, place) = (page.bytes(pageSize), other.bytes(pageSize))
    for offset in stride(from: 0, to: content.size, by: pageSize) where !open.isEmpty {
      guard try content.read(at: offset, into: bytes) == pageSize else { break }
      for index in open {
        guard let count = try? readers[index].read(at: offset, into: place), count == pageSize
        else { continue }
        if offset == 0, !Self.isPast(bytes, place) {
          open.remove(index)
          shared[index] = nil
        } else if sharedCount(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(place)) == count
        {
          shared[index]? += 1
        }
      }
    }
    return shared
  }

  /// Whether the change counter on a first page is higher than on another one.
  private static func isPast(
    _ page: UnsafeMutableRawBufferPointer, _ other: UnsafeMutableRawBufferPointer
  ) -> Bool {
    other[counterPlace].lexicographicallyPrecedes(page[counterPlace])
  }

  /// The version that was live here, the heads, and their ancestors, as far as their content is
  /// here.
  private func candidates() -> [Version] {
    let graph = listing.graph
    let heads = graph.effectiveHeads.map(\.version)
    let parents = heads.flatMap(\.parents).compactMap { graph[$0] }
    var known: Set<ContentHash> = []
    let before = store.workingCopy.current.flatMap { graph[$0] }
    let all = [before].compactMap(\.self) + heads + parents
    return Array(
      all.filter { listing.archive.holds($0.content) && known.insert($0.content).inserted }
        .prefix(Self.mostCandidates))
  }
}
