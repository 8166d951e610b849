public import OpenWOHistory

/// What a restore did.
public struct RestoreReport: Sendable, Hashable {
  /// The new version on top; equal to `previous` when that content was live already.
  public var version: VersionID
  /// The version whose content is live now.
  public var restored: VersionID
  /// The version that was live before; restoring it undoes the restore.
  public var previous: VersionID
}
