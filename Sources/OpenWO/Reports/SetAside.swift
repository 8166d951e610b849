public import OpenWOHistory

/// A side that lost to a later writer without anybody having been asked; its rows are in the history only.
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
  /// What was written there since both sides were one; empty if that is not known any more.
  public var changes: [TableChange]
  /// Whether it shares no version with the live one, as a file that came under the name of a copy; its rows come in beside all others.
  public var isUnrelated = false
}
