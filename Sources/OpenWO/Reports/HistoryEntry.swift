public import OpenWOHistory

/// One version as the history lists it.
public struct HistoryEntry: Sendable, Hashable {
  /// The version.
  public var version: Version
  /// Whether the live file is a copy of it.
  public var isLive: Bool
  /// Whether its file is in the synced folder.
  public var isPublished: Bool
  /// Its names, given by people.
  public var pins: [String] = []
}
