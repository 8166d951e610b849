public import OpenWOHistory

/// The result of a restore.
public struct RestoreReport: Sendable, Hashable {
  /// The new version; equal to `previous` if that content was already live.
  public var version: VersionID
  /// The version whose content is live now.
  public var restored: VersionID
  /// The version that was live before; restoring it undoes the restore.
  public var previous: VersionID
}
