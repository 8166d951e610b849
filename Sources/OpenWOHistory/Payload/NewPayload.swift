/// The payload to write for a version.
package enum NewPayload {
  /// The database file itself.
  case full(any ContentSource)
  /// The pages in which the new content differs from one that is in the archive.
  case pages(PageChanges)
  /// Nothing: another version with the same content is in the archive.
  case same

  /// The payload in the header.
  var stored: Payload {
    switch self {
    case .full: .full
    case .pages(let changes): .pages(base: changes.base)
    case .same: .same
    }
  }
}

/// Two contents and the pages in which they may differ.
package struct PageChanges {
  /// The tree hash of the old content.
  package let base: ContentHash
  /// The old content.
  package let old: any ContentSource
  /// The new content.
  package let new: any ContentSource
  /// The pages that may differ, from 1, in any order; nil to compare all bytes.
  package let pages: [UInt32]?

  /// Describes a change.
  ///
  /// Equal pages may be named, and added pages need not be. But a changed page that is not named is
  /// lost. If in doubt, pass nil.
  package init(
    from old: any ContentSource, _ base: ContentHash, to new: any ContentSource, pages: [UInt32]?
  ) {
    (self.base, self.old, self.new, self.pages) = (base, old, new, pages)
  }
}

extension PageChanges {
  /// The pages that are named, or else those that differ.
  func listed(pageSize: Int) throws -> [UInt32] {
    try pages ?? PagesPayload.changedPages(from: old, to: new, pageSize: pageSize)
  }
}
