import OpenWOHistory

/// The page test: a torn file is told from an edit by its pages.
extension VersionDetector {
  /// How many of the newest versions a torn file is held against.
  private static var depth: Int { 16 }

  /// Whether every page stands at the same place in some known version.
  ///
  /// Then the unknown content is a mix of versions that a service delivered in pieces. An edit changes at least the first page, so for one the
  /// test ends there.
  func isMix(
    _ content: some ContentSource, pageSize: Int, _ listing: VersionListing
  ) throws -> Bool {
    let known = listing.graph.newestFirst.lazy.map(\.content).filter(listing.archive.holds)
    let readers = Set(known.prefix(Self.depth)).compactMap {
      try? store.archive.reader($0, in: listing.archive)
    }
    let (page, other) = (PageBuffer(byteCount: pageSize), PageBuffer(byteCount: pageSize))
    var offset: Int64 = 0
    while offset < content.size {
      let bytes = page.bytes(pageSize)
      guard try content.read(at: offset, into: bytes) == pageSize else { return false }
      let place = other.bytes(pageSize)
      // What cannot be read is no page of a known version.
      let isKnown = readers.contains { reader in
        (try? reader.read(at: offset, into: place)) == pageSize
          && sharedCount(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(place)) == pageSize
      }
      guard isKnown || bytes.allSatisfy({ $0 == 0 }) else { return false }
      offset += Int64(pageSize)
    }
    return true
  }
}
