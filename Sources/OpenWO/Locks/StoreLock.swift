package import OpenWOFiles
public import OpenWOHistory

/// A lock as its file says: who has the database, why, and until when.
///
/// Stands at `locks/<device>.json`, written by that device alone, and exists only while it asks for or holds the lock.
public struct StoreLock: Sendable, Hashable, Codable {
  /// Whether the holder still waits for others on its machine or has the database.
  public enum State: String, Sendable, Codable {
    case asked, held
  }

  /// The format of the lock file; this is 1.
  public var format: Int
  /// Short and random, shown to people, such as `7f3a19c2`.
  public var id: String
  /// The id of the device that holds it.
  public var device: String
  /// What people call that device.
  public var deviceName: String
  /// The user's name on that device.
  public var user: String
  /// The machine's host name.
  public var host: String
  /// The process that the lock ends with; nil for a person's lock, which outlives its command.
  package var process: ProcessIdentity?
  /// The program that took it.
  public var program: String
  /// Why, in the holder's words.
  public var note: String?
  /// When it was asked for.
  public var since: Timestamp
  /// When it ends by itself; nil: never.
  public var until: Timestamp?
  /// The version that the edit starts from.
  public var head: VersionID?
  /// Whether it is only asked for.
  public var state: State

  static let currentFormat = 1

  /// Orders two locks at once: the older holds, ties go to the lower device id.
  func precedes(_ other: StoreLock) -> Bool {
    (since, device) < (other.since, other.device)
  }

  /// Whether its time has run out at a moment.
  func hasEnded(at now: Timestamp) -> Bool {
    until.map { $0 <= now } ?? false
  }
}
