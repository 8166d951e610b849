public import OpenWOHistory

/// What became of a store when this device left it.
public struct LeaveReport: Sendable, Hashable, Codable {
  /// The version that the database is a copy of; nil if there was none.
  public var head: VersionID?
  /// How many versions there were.
  public var versions: Int
  /// How many bytes their files have.
  public var bytes: Int64
  /// Whether the companion folder with the versions was removed.
  public var isCompanionRemoved: Bool
  /// What is left in the companion folder because it is not openwo's.
  public var foreign: [String]
}
