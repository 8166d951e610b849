package import OpenWOHistory

/// The evidence for where a content came from.
///
/// The parts that cost are nil until the ancestry table asks for them.
package struct Evidence: Sendable, Hashable {
  /// A part that costs, and what it is asked about.
  package enum Part: Sendable, Hashable {
    /// Hash the content, and look whether a version has the same.
    case twin
    /// Compare the pages with those of its possible parents.
    case pages
    /// Find out whether another device has ever written to the store.
    case peers
    /// Compare the rows with this version's and its parents', to see whether all of its changes are there.
    case rows(of: VersionID)
    /// Find out whether most rows of this version are there, and nothing that it changed is undone.
    case share(of: VersionID)
    /// Find out whether rows say that another side's head is nearer than this version.
    case otherSide(than: VersionID)
    /// Search the newest versions for one whose changes are all there.
    case search
    /// Search the newest versions for the one from which fewest rows differ.
    case closest
  }

  /// The evidence of the pages.
  package struct Pages: Sendable, Hashable {
    /// The version that shares most pages; nil if the pages do not tell.
    package var base: VersionID?
    /// Whether that version shares as many of the content's pages as an edit leaves.
    ///
    /// That is at least half of them, not counting four that any edit may rewrite. Fewer may be the
    /// same by chance.
    package var sharesMost = false
    /// Whether the content may follow from the current version: that version is here, and the
    /// content counts more commits.
    package var mayFollowCurrent = false

    /// Describes pages that tell nothing.
    package init() {}
  }

  /// The file is exactly as recorded; only its version is missing.
  package var isAsRecorded = false
  /// The store is being made, and all of its versions are recovered states.
  package var beginsStore = false
  /// It is the same file as before, with the times of a local writer.
  package var isWrittenInPlace = false

  /// The latest version with the same content; nil: not asked yet.
  package var twin: Answer?
  /// The evidence of the pages; nil: not asked yet.
  package var pages: Pages?
  /// Whether no other device has ever written to the store; nil: not asked yet.
  package var isAlone: Bool?
  /// For each version that was asked about, whether all of its changes are there.
  package var carries: [VersionID: Bool] = [:]
  /// For each version that was asked about, whether most of its rows are there and nothing that it changed is undone.
  package var carriesMost: [VersionID: Bool] = [:]
  /// The head of another side of which most rows are there, and fewer are missing or changed than of the current version; nil: not asked
  /// yet.
  package var otherSide: Answer?
  /// The version that a search by rows found; nil: not asked yet.
  package var search: Answer?
  /// The version from which fewest rows differ, if most of its rows are there; nil: not asked yet.
  package var closest: Answer?

  /// The version that was asked for, or that there is none.
  package enum Answer: Sendable, Hashable {
    /// This version.
    case found(VersionID)
    /// No version.
    case nothing

    /// The answer for a version that was found, or was not.
    package init(_ version: VersionID?) { self = version.map(Answer.found) ?? .nothing }
  }

  /// Describes a content of which nothing is known yet.
  package init() {}

  /// Counts a content as an edit if rows cannot be compared; false for evidence of another kind.
  mutating func takeAsEdit(_ part: Part) -> Bool {
    switch part {
    case .rows(let id): carries[id] = true
    case .search: search = .nothing
    case .closest: closest = .nothing
    case .otherSide: otherSide = .nothing
    case .twin, .pages, .peers, .share: return false
    }
    return true
  }
}
