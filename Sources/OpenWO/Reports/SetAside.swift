public import OpenWOHistory

/// A side of a conflict that automatically lost to a later writer; its rows are in the history
/// only.
public struct SetAside: Sendable, Hashable, Codable {
  /// The version that was set aside.
  public var version: VersionID
  /// The id of the device that wrote it.
  public var device: String
  /// What people call that device.
  public var deviceName: String
  /// The copy in which it was found; nil if that device told it.
  public var path: String?
  /// When it was written.
  public var at: Timestamp
  /// When the later writer won.
  public var since: Timestamp
  /// The changes on that side since the merge base; empty if they are no longer known.
  public var changes: [TableChange]
  /// Whether it shares no version with the live one, for example a file with the name of a copy; a
  /// merge adds its rows to all others.
  public var isUnrelated = false
}
