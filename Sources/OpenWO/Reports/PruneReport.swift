public import OpenWOHistory

/// What a prune removed, or would remove.
public struct PruneReport: Sendable, Hashable, Codable {
  /// The versions that can no longer be restored.
  public var removed: [VersionID]
  /// How many files went.
  public var files: Int
  /// How many bytes they had.
  public var bytes: Int64
}
