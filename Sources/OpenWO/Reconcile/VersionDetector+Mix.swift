import OpenWOFiles
import OpenWOHistory

/// The page test, which distinguishes a torn file from an edit.
extension VersionDetector {
  /// The number of newest versions with which a torn file is compared.
  private static var depth: Int { 16 }

  /// Whether every page is at the same place in some known version.
  ///
  /// Then the unknown content is a mix of versions that a service delivered in pieces. An edit changes at least the first page, so for one the
  /// test ends there.
  ///
  /// `changedAt` is when the file last changed here.
  ///
  /// - Throws: `FileError` if a version may be readable next time.
  func isMix(
    _ content: some ContentSource, pageSize: Int, _ listing: VersionListing, changedAt: Timestamp
  ) throws -> Bool {
    try awaitUnread(listing.archive, changedAt)
    let known = listing.graph.newestFirst.lazy.map(\.content).filter(listing.archive.holds)
    let contents = Set(known.prefix(Self.depth))
    let page = PageBuffer(byteCount: pageSize)
    func isZero(_ offset: Int64) throws -> Bool {
      let bytes = page.bytes(pageSize)
      guard try content.read(at: offset, into: bytes) == pageSize else { return false }
      return bytes.allSatisfy { $0 == 0 }
    }
    /// The pages that are in none of the versions; the versions are opened one after the other.
    func unknown(_ offsets: [Int64]) throws -> [Int64] {
      let other = PageBuffer(byteCount: pageSize)
      var left = offsets
      for version in contents where !left.isEmpty {
        guard let reader = try readable(changedAt, { try reader(version, listing) }) else {
          continue
        }
        left = try left.filter { offset in
          let (bytes, place) = (page.bytes(pageSize), other.bytes(pageSize))
          let isRead = try readable(changedAt) { try reader.read(at: offset, into: place) }
          return try isRead != pageSize || content.read(at: offset, into: bytes) != pageSize
            || sharedCount(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer(place)) != pageSize
        }
      }
      return left
    }
    guard try isZero(0) || unknown([0]).isEmpty else { return false }
    let offsets = stride(from: Int64(pageSize), to: content.size, by: pageSize)
    return try unknown(offsets.filter { try !isZero($0) }).isEmpty
  }

  private func reader(_ content: ContentHash, _ listing: VersionListing) throws -> ContentReader {
    try versions.archive.reader(content, in: listing.archive)
  }

  /// Throws the error of a version that cannot be read now, as the content may be that version's.
  ///
  /// It stops an hour after the file has changed: then an unreadable version counts as gone.
  func awaitUnread(_ archive: ArchiveListing, _ changedAt: Timestamp) throws {
    guard isAwaited(changedAt) else { return }
    if let unread = archive.unread { throw unread }
    if let version = try store.folder.awaited().version {
      throw StoreError.notDownloaded(version, paths)
    }
  }

  private func isAwaited(_ changedAt: Timestamp) -> Bool {
    now.milliseconds(since: changedAt).magnitude < 3_600_000
  }

  /// Reads from a version; nil if the version is damaged or gone.
  ///
  /// - Throws: `FileError` if it may be readable next time.
  private func readable<Result>(
    _ changedAt: Timestamp, _ body: () throws -> Result
  ) throws -> Result? {
    do {
      return try body()
    } catch let error as FileError where error.isTransient && isAwaited(changedAt) {
      throw error
    } catch {
      return nil
    }
  }
}
