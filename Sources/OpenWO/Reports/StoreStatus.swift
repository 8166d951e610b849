public import OpenWOHistory

/// The status of a store at one moment.
public struct StoreStatus: Sendable, Hashable, Codable {
  /// The state in one word.
  public enum State: String, Sendable, Codable {
    case synced, edited, locked, conflict, missing, damaged, unavailable, localOnly
  }

  /// A folder that went back to an older state, for example from a backup.
  public struct PutBack: Sendable, Hashable, Codable {
    /// The version whose content came back and is live.
    public var older: VersionID
    /// The version that was live before; restore it to go forward again.
    public var newer: VersionID
  }

  /// Why the database cannot be read.
  public struct Obstacle: Sendable, Hashable, Codable {
    /// The name of the error's code.
    public var error: String
    /// The problem in one sentence without a full stop.
    public var message: String
    /// What to do next in an app, the best way first.
    public var remedies: [Remedy]
    /// What to do next in words and typed steps, for a terminal.
    package var advice: Advice?

    private enum CodingKeys: CodingKey { case error, message, remedies }
  }

  /// Whether the synced folder can be used.
  public enum Availability: String, Sendable, Codable {
    case available, noAccount, restricted, unknown
  }

  /// Whether the device has a network.
  public enum Network: String, Sendable, Codable {
    case online, offline, unknown
  }

  /// The state in one word.
  public var state: State
  /// This device.
  public var device: DeviceSummary
  /// The newest head, which all devices should have; nil before the first version.
  public var head: VersionID?
  /// The tree hash of the live file; nil while it is missing or cannot be read.
  public var content: ContentHash?
  /// The active lock.
  public var lock: StoreLock?
  /// Conflict copies in the folder that have no version yet, or that will be removed.
  public var conflicts: [String]
  /// Every device of the store.
  public var devices: [DeviceSummary]
  /// Whether the synced folder can be used.
  public var availability: Availability
  /// Whether the device has a network.
  public var network: Network
  /// The version that joined two stores which devices had begun apart, until somebody has seen it.
  public var joined: VersionID?
  /// When this device last captured a write.
  public var lastLocalSaveAt: Timestamp?
  /// When the folder was last looked at.
  public var lastCheckedAt: Timestamp
  /// The name of the last error's code.
  public var lastError: String?
  /// Why the database cannot be read now; nil if it can.
  public var obstacle: Obstacle?
  /// Versions that vanished from the folder and that this device has kept; the next sync puts them back.
  public var vanished: [VersionID]
  /// How the folder went back, while the older content is live.
  public var putBack: PutBack?
  /// The files in quarantine that nobody has looked at yet.
  public var quarantined: [QuarantinedFile] = []
  /// The sides that automatically lost to a later writer, until somebody has looked at them or
  /// merged them.
  public var setAside: [SetAside] = []
  /// How many captured versions are not in the folder yet.
  public var unpublished = 0
}

extension StoreStatus {
  /// Whether the database is missing or damaged, so that an edit cannot be kept.
  package var hasNoWholeDatabase: Bool {
    let codes: [StoreError.Code] = [.damaged, .unavailable]
    return obstacle.map { codes.map(\.description).contains($0.error) } ?? false
  }
}
