public import OpenWOHistory

/// One device of a store, as the others see it.
public struct DeviceSummary: Sendable, Hashable, Codable {
  /// The device's id.
  public var id: String
  /// What people call it.
  public var name: String
  /// The version that its live file is a copy of, as it last said.
  public var head: VersionID?
  /// When it adopted or wrote that version.
  public var headSince: Timestamp?
  /// When it last showed itself.
  public var lastSeen: Timestamp
  /// Whether this is the device that reports.
  public var isThisDevice: Bool

  enum CodingKeys: String, CodingKey {
    case id, name, head, headSince, lastSeen
    case isThisDevice = "thisDevice"
  }
}
