public import OpenWOHistory
public import SystemPackage

/// A state of the database that can be held against another one.
public enum DatabaseState: Sendable, Hashable {
  /// The live file as it stands; under somebody else's lock the last good version.
  case live
  /// A version.
  case version(VersionID)
  /// A conflicted copy, or any SQLite file; it is copied and never opened where it stands.
  case file(FilePath)
}
