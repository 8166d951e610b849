import OpenWOHistory
import OpenWOSQLite

/// How a captured content is stored: as what changed, as long as that pays.
extension Store {
  /// The pages that differ from a content in the archive.
  struct ChangedSinceBase {
    /// The content in the archive.
    var base: ContentHash
    /// The content that differs from it in these pages.
    var content: ContentHash
    var pages: [UInt32]
  }

  /// The most payloads that a version rests on.
  private static var longestChain: Int { 48 }

  /// Chooses the payload of a version that is captured.
  ///
  /// - Parameters:
  ///   - changed: The pages that differ from the recorded content.
  ///   - folded: The version that the new one takes the place of, and with it its base.
  func payload(
    _ version: Version, _ new: LiveContent, _ changed: ChangedPages, _ folded: Version?
  ) throws -> NewPayload {
    let listing = try versions()
    guard let base = version.parents.lazy.compactMap({ listing.graph[$0] }).first,
      base.pageSize == version.pageSize, let chain = try? listing.archive.chain(base.content),
      chain.count < Self.longestChain,
      2 * chain.dropLast().reduce(0, { $0 + $1.payloadSize }) < version.bytes
    else { return .full(new) }
    let old = try archive.reader(base.content, in: listing.archive)
    let pages =
      try pagesChanged(since: base.content, changed, folded)
      ?? PagesPayload.changedPages(from: old, to: new, pageSize: version.pageSize)
    guard 2 * Int64(pages.count) * Int64(version.pageSize) < version.bytes else {
      return .full(new)
    }
    changedSinceBase = ChangedSinceBase(
      base: base.content, content: version.content, pages: pages)
    return .pages(PageChanges(from: old, base.content, to: new, pages: pages))
  }

  /// The pages that differ from a content in the archive, if that is known without comparing.
  private func pagesChanged(
    since base: ContentHash, _ changed: ChangedPages, _ folded: Version?
  ) -> [UInt32]? {
    guard case .pages(let pages) = changed, let record else { return nil }
    if record.content == base { return pages }
    guard let folded, let before = changedSinceBase, before.base == base,
      before.content == folded.content
    else { return nil }
    return Set(before.pages).union(pages).sorted()
  }
}
