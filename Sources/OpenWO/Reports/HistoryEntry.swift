public import OpenWOHistory

/// One version as the history lists it.
public struct HistoryEntry: Sendable, Hashable {
  /// The version.
  public var version: Version
  /// Whether the live file is a copy of it.
  public var isLive: Bool
  /// Whether it stands in the synced folder.
  public var isPublished: Bool
  /// The names that people have given it.
  public var pins: [String] = []
}
