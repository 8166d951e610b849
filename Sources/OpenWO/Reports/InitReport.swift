public import OpenWOHistory

/// What `init` made.
public struct InitReport: Sendable, Hashable {
  /// The store's id.
  public var store: String
  /// This device.
  public var device: DeviceSummary
  /// The first version.
  public var head: VersionID
  /// Whether rows were folded back out of a write-ahead log.
  public var foldedWAL: Bool
  /// Whether the store was there, and only its lost `store.json` was put back.
  public var isPutBack = false
}
