public import OpenWOHistory

/// The changes of a version compared with the version before it.
public enum VersionSummary: Sendable, Hashable {
  /// The numbers of changed rows by table since an older version, and whether tables, indexes,
  /// views or triggers changed.
  case counted(since: VersionID, changes: [TableChange], schemaChanged: Bool)
  /// Nothing: there is no version before it.
  case first
  /// Too many changes to count for a listing.
  case tooLarge
  /// Not counted yet, as one call counts only some versions; the next call counts more.
  case notYet
  /// Its content is not here, or cannot be read.
  case unread
}
