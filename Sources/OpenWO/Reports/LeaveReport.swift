public import OpenWOHistory

/// The state of a store after this device left it.
public struct LeaveReport: Sendable, Hashable, Codable {
  /// The version that the database is a copy of; nil if there was none.
  public var head: VersionID?
  /// How many versions there were.
  public var versions: Int
  /// The size of their files in bytes.
  public var bytes: Int64
  /// Whether the companion folder with the versions was removed.
  public var isCompanionRemoved: Bool
  /// The files left in the companion folder, as they are not openwo's.
  public var foreign: [String]
}
