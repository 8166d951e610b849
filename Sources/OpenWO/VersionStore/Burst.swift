import OpenWOHistory
import OpenWOSQLite

/// How captured contents are stored: as what changed, as long as that pays.
///
/// The versions of a burst of writes are combined into one until it is published, and all rest on
/// one base.
final class Burst {
  private unowned let versions: VersionStore
  /// The pages that differ from the base, while versions are combined.
  private var known: ChangedSinceBase?
  /// Reads the base.
  private var baseReader: ContentReader?

  init(_ versions: VersionStore) { self.versions = versions }

  /// How many pages differ from the base; nil if that is not known.
  var changedPages: Int? { known?.pages.count }

  /// Ends the burst: its version is published.
  func end() {
    known = nil
    close()
  }

  /// Closes the file of the base.
  func close() { baseReader = nil }
}

extension Burst {
  /// The pages that differ from a content in the archive.
  fileprivate struct ChangedSinceBase {
    /// The content in the archive.
    var base: ContentHash
    /// The content that differs from it in these pages.
    var content: ContentHash
    var pages: [UInt32]
  }

  /// Chooses the payload of a captured version.
  ///
  /// `live` is the recorded content of the live file, `changed` are the pages that differ from it; `folded`
  /// is the version that the new one replaces, and whose base it takes.
  func payload(
    _ version: Version, _ new: any ContentSource, _ changed: ChangedPages, _ folded: Version?,
    live: ContentHash?
  ) throws -> NewPayload {
    let listing = try versions.listed()
    if isLasting(version.content, listing, live) {
      known = nil
      return .same
    }
    let parent = version.parents.lazy.compactMap { listing.graph[$0]?.content }.first
    let base = folded == nil ? lasting(parent, listing, live) : parent
    let pages = base.flatMap { pagesChanged(since: $0, changed, folded, live) }
    let payload = try versions.archive.payload(
      for: new, version.facts, at: version.at, after: base, changed: pages,
      source: base.flatMap { try? reader(of: $0, in: listing.archive) }, in: listing.archive)
    known = nil
    if case .pages(let changes) = payload, let base,
      let differing = pages ?? (changes.base == base ? changes.pages : nil)
    {
      known = ChangedSinceBase(base: base, content: version.content, pages: differing)
    }
    return payload
  }

  /// Chooses the payload of a version whose content is a file, by comparing that with a content in the archive: a parent's, unless told.
  func payload(
    _ version: Version, _ new: any ContentSource, after base: ContentHash? = nil,
    live: ContentHash?
  ) throws -> NewPayload {
    let listing = try versions.listed()
    if isLasting(version.content, listing, live) { return .same }
    let parents = version.parents.lazy.compactMap { listing.graph[$0]?.content }
    return try versions.archive.payload(
      for: new, version.facts, at: version.at, after: lasting(base ?? parents.first, listing, live),
      changed: nil, in: listing.archive)
  }

  /// Whether the archive holds a content, and will as long as a version is there that has it.
  private func isLasting(
    _ content: ContentHash, _ listing: VersionListing, _ live: ContentHash?
  ) -> Bool {
    listing.archive.holds(content) && lasting(content, listing, live) == content
  }

  /// The base of a version's payload: a content as near to `base` as possible that no other device
  /// removes before it has seen the version.
  ///
  /// Nobody removes what a head, or the version that is live here, rests on. Any other content may
  /// be gone when the new version arrives.
  private func lasting(
    _ base: ContentHash?, _ listing: VersionListing, _ live: ContentHash?
  ) -> ContentHash? {
    guard let base, base != live else { return base }
    let tips = [live].compactMap(\.self) + listing.graph.heads.map(\.content)
    let isLasting = tips.contains { tip in
      (try? listing.archive.chain(tip))?.contains { $0.version.content == base } ?? false
    }
    return isLasting ? base : tips.first
  }

  /// A reader of the base of a burst's versions, kept open while they are combined into one.
  private func reader(
    of content: ContentHash, in archive: ArchiveListing
  ) throws -> ContentReader {
    if let baseReader, baseReader.content == content { return baseReader }
    let reader = try versions.archive.reader(content, in: archive)
    baseReader = reader
    return reader
  }

  /// The pages that differ from a content in the archive, if that is known without comparing.
  private func pagesChanged(
    since base: ContentHash, _ changed: ChangedPages, _ folded: Version?,
    _ live: ContentHash?
  ) -> [UInt32]? {
    guard case .pages(let pages) = changed, let live else { return nil }
    if live == base { return pages }
    guard let folded, let before = known, before.base == base,
      before.content == folded.content
    else { return nil }
    return Set(before.pages).union(pages).sorted()
  }
}
