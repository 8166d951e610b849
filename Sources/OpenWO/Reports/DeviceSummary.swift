public import OpenWOHistory

/// One device of a store, as the others see it.
public struct DeviceSummary: Sendable, Hashable, Codable {
  /// The device's id.
  public var id: String
  /// What people call it.
  public var name: String
  /// The version that its live file is a copy of, by its last report.
  public var head: VersionID?
  /// When it checked out or wrote that version.
  public var headSince: Timestamp?
  /// When it was last seen.
  public var lastSeen: Timestamp
  /// Whether it is this device.
  public var isThisDevice: Bool

  enum CodingKeys: String, CodingKey {
    case id, name, head, headSince, lastSeen
    case isThisDevice = "thisDevice"
  }
}
