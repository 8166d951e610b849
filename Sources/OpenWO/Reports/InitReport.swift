public import OpenWOHistory

/// The result of `init`.
public struct InitReport: Sendable, Hashable {
  /// The store's id.
  public var store: String
  /// This device.
  public var device: DeviceSummary
  /// The first version.
  public var head: VersionID
  /// Whether a write-ahead log was checkpointed into the database.
  public var foldedWAL: Bool
  /// Whether the store existed, and only its lost `store.json` was restored.
  public var isPutBack = false
}
