public import OpenWOHistory
public import SystemPackage

/// The source of a merge into the live database.
public enum MergeSource: Sendable, Hashable {
  /// A version.
  case version(VersionID)
  /// A conflict copy, or any SQLite file made from the same database; it is captured as a version.
  case file(FilePath)
}
