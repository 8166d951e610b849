public import OpenWOHistory

/// What a version changed against the version before it.
public enum VersionSummary: Sendable, Hashable {
  /// So many rows of these tables, counted since an older version, and whether tables, indexes, views or triggers changed.
  case counted(since: VersionID, changes: [TableChange], schemaChanged: Bool)
  /// Nothing: there is no version before it.
  case first
  /// Too much changed to be counted for a listing.
  case tooLarge
  /// It is counted when it is asked for again: one call counts only so many.
  case notYet
  /// Its content is not here, or cannot be read.
  case unread
}
