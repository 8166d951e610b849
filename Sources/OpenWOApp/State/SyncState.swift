/// How syncing stands on this device, as one value; what it says is best effort.
///
/// Nobody tells an app when a service has delivered: `synced` means that nothing waits here, and `lastCheckedAt` is when
/// the folder was last looked at.
public struct SyncState: Sendable, Hashable, Codable {
  /// Which of the two files is open.
  public enum ActiveStore: String, Sendable, Hashable, Codable {
    /// The one in the synced folder.
    case synced
    /// The one on this device alone.
    case local
  }

  /// The state in one word.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    case synced, syncing, error, localOnly
    /// Nobody has looked yet.
    case checking
  }

  /// Why a new start would open the other file.
  public enum RestartReason: String, Sendable, Hashable, Codable {
    /// The user has moved the switch.
    case switchMoved
    /// The folder has come into reach.
    case folderAvailable
    /// The folder has gone away while the app was running.
    case folderGone
  }

  /// A device that has taken over what is live here.
  public struct Sighting: Sendable, Hashable, Codable {
    /// What people call the device.
    public var device: String
    /// When it did so.
    public var at: Timestamp

    /// Makes a sighting of its parts.
    public init(device: String, at: Timestamp) {
      self.device = device
      self.at = at
    }
  }

  /// Which of the two files is open; it stays so until the app is started anew.
  public var activeStore: ActiveStore
  /// Whether this device is to sync.
  public var syncEnabled: Bool
  /// Whether the synced folder can be used.
  public var availability: StoreStatus.Availability
  /// Whether a network is in sight.
  public var network: StoreStatus.Network
  /// The state in one word.
  public var status: Status
  /// When this device last saved something.
  public var lastLocalSaveAt: Timestamp?
  /// When the folder was last looked at.
  public var lastCheckedAt: Timestamp?
  /// What keeps data from being synced.
  public var lastError: SyncErrorKind?
  /// Why a new start would open the other file; nil while it would not.
  public var restartReason: RestartReason?
  /// The devices that have taken over what is live here.
  public var seenBy: [Sighting]
  /// The device on which a person edits the data just now, so that nothing can be saved here; nil if nobody does.
  public var lockedBy: String?
  /// How many rows of this device lost to a later writer, and are in the history only.
  public var setAside: Int
  /// Whether changes that were made without the folder are on this device only, as they could not be added to it yet.
  public var hasChangesToAdd: Bool

  /// Makes a state of its parts, for an app's tests and previews.
  public init(
    activeStore: ActiveStore, syncEnabled: Bool, availability: StoreStatus.Availability,
    network: StoreStatus.Network, status: Status, lastLocalSaveAt: Timestamp? = nil,
    lastCheckedAt: Timestamp? = nil, lastError: SyncErrorKind? = nil,
    restartReason: RestartReason? = nil, seenBy: [Sighting] = [],
    lockedBy: String? = nil, setAside: Int = 0, hasChangesToAdd: Bool = false
  ) {
    self.activeStore = activeStore
    self.syncEnabled = syncEnabled
    self.availability = availability
    self.network = network
    self.status = status
    self.lastLocalSaveAt = lastLocalSaveAt
    self.lastCheckedAt = lastCheckedAt
    self.lastError = lastError
    self.restartReason = restartReason
    self.seenBy = seenBy
    self.lockedBy = lockedBy
    self.setAside = setAside
    self.hasChangesToAdd = hasChangesToAdd
  }
}

extension SyncState {
  /// Whether a new start would open the other file.
  public var restartRequired: Bool { restartReason != nil }

  /// The state in one word, from what it follows from.
  static func status(
    _ active: ActiveStore, lastError: SyncErrorKind?, isWaiting: Bool
  ) -> Status {
    switch (active, lastError) {
    // A folder that is not there, or not ours, is no failure: the data is simply here only.
    case (.local, nil), (.local, .notAuthenticated): .localOnly
    case (_, .some): .error
    case (.synced, nil): isWaiting ? .syncing : .synced
    }
  }
}
