/// How a version file stores the database.
package enum Payload: Hashable, Sendable {
  /// The database file itself.
  case full
  /// The pages that differ from another content.
  case pages(base: ContentHash)
  /// Nothing: the content is that of another version.
  case same

  /// The word in the header and at the end of the file name.
  package var kind: Kind {
    switch self {
    case .full: .full
    case .pages: .pages
    case .same: .same
    }
  }

  /// The content that must be at hand to read the payload of a version with the given content.
  package func base(of content: ContentHash) -> ContentHash? {
    switch self {
    case .full: nil
    case .pages(let base): base
    case .same: content
    }
  }

  /// The word for a payload.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// See ``Payload/full``.
    case full
    /// See ``Payload/pages(base:)``.
    case pages
    /// See ``Payload/same``.
    case same
  }
}
