public import OpenWOHistory
public import SystemPackage

/// What is merged into the live database.
public enum MergeSource: Sendable, Hashable {
  /// A version.
  case version(VersionID)
  /// A conflicted copy, or any SQLite file that grew from the same database; it is captured as a version.
  case file(FilePath)
}
