public import OpenWOHistory

/// All that can be said of a store at one moment.
public struct StoreStatus: Sendable, Hashable, Codable {
  /// The state in one word.
  public enum State: String, Sendable, Codable {
    case synced, edited, locked, conflict, missing, damaged, unavailable, localOnly
  }

  /// A folder that was put back to an older state, as from a backup.
  public struct PutBack: Sendable, Hashable, Codable {
    /// The version whose content came back and is live.
    public var older: VersionID
    /// The version that was live before; restoring it goes forward again.
    public var newer: VersionID
  }

  /// What keeps the database from being looked into.
  public struct Obstacle: Sendable, Hashable, Codable {
    /// The name of the error's code.
    public var error: String
    /// What is the matter, in one sentence without a full stop.
    public var message: String
    /// What to do next; ends in a command.
    public var hint: String
  }

  /// Whether the synced folder can be used.
  public enum Availability: String, Sendable, Codable {
    case available, noAccount, restricted, unknown
  }

  /// Whether a network is in sight.
  public enum Network: String, Sendable, Codable {
    case online, offline, unknown
  }

  /// The state in one word.
  public var state: State
  /// This device.
  public var device: DeviceSummary
  /// The version that all devices are to have; nil before the first.
  public var head: VersionID?
  /// The tree hash of the live file; nil while it is missing or cannot be read.
  public var content: ContentHash?
  /// The lock that counts.
  public var lock: StoreLock?
  /// Conflicted copies in the folder whose content is not safe in a version yet, or that are to be removed.
  public var conflicts: [String]
  /// Every device of the store.
  public var devices: [DeviceSummary]
  /// Whether the synced folder can be used.
  public var availability: Availability
  /// Whether a network is in sight.
  public var network: Network
  /// The version that joined stores which devices had begun apart, while that is news.
  public var joined: VersionID?
  /// When this device last captured a write.
  public var lastLocalSaveAt: Timestamp?
  /// When the folder was last looked at.
  public var lastCheckedAt: Timestamp
  /// The last thing that went wrong, by its code's name.
  public var lastError: String?
  /// What keeps the database from being looked into now; nil if nothing does.
  public var obstacle: Obstacle?
  /// Versions that vanished from the folder and that this device has kept; the next sync puts them back.
  public var vanished: [VersionID]
  /// How the folder was put back, if that is what is live.
  public var putBack: PutBack?
  /// The files that were kept aside because they could not become versions, until somebody has looked at the list.
  public var quarantined: [QuarantinedFile] = []
  /// The sides that lost to a later writer without anybody having been asked, until somebody has looked at them or merged them.
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
