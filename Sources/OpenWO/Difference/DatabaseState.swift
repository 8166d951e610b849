public import OpenWOHistory
public import SystemPackage

/// A state of the database that can be compared with another one.
public enum DatabaseState: Sendable, Hashable {
  /// The live file as it is now; under somebody else's lock, the last good version.
  case live
  /// A version.
  case version(VersionID)
  /// A conflict copy, or any SQLite file; openwo opens a private copy of it.
  case file(FilePath)
}
