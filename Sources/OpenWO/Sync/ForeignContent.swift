package import OpenWOHistory

/// A content without a version, wherever it is.
package struct ForeignContent: Sendable, Hashable {
  /// The place of the content, and what follows from that alone.
  package enum Place: Sendable, Hashable {
    /// In the live file, at a look.
    case live
    /// In the live file: a known content that only a person here can have put back.
    case putBack
    /// In the live file when this device's lock ends; the version is the one that the lock began with.
    case underOwnLock(since: VersionID?)
    /// In the live file when a lock begins, or ends without a known beginning.
    case atLock
    /// In a conflict copy.
    case conflictCopy
    /// In an open file that lost its name, where commits of our own wait to be captured.
    ///
    /// `base` is what was captured last. `isOverwritten` says that somebody else has written there since.
    case displaced(base: VersionID?, isOverwritten: Bool)
    /// In the live file before a journal was replayed, which led back to a version.
    case undone(by: VersionID)
    /// A recovered state: the live file with an unproven journal replayed, or without its
    /// write-ahead log.
    case passedOver
    /// In a file that a person names, with the version that the person says it grew from.
    case imported(statedBase: VersionID?)

    /// Whether it was found when this device's lock ends.
    var isUnderOwnLock: Bool {
      if case .underOwnLock = self { return true }
      return false
    }
  }

  /// Where it was found.
  package var place: Place
  /// The evidence for its origin so far.
  package var evidence: Evidence

  /// Describes a content of which nothing else is known yet.
  package init(_ place: Place, evidence: Evidence = Evidence()) {
    (self.place, self.evidence) = (place, evidence)
  }
}
