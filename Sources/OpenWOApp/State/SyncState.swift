/// The state of syncing on this device, as one value, to the best of its knowledge.
///
/// No service tells an app that it has delivered: `synced` means that nothing waits here, and that the
/// last look at the folder understood all that is there. `lastCheckedAt` is the time of that look.
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
    /// The folder has not been looked at yet.
    case checking
  }

  /// Why a restart would open the other file.
  public enum RestartReason: String, Sendable, Hashable, Codable {
    /// The user has moved the switch.
    case switchMoved
    /// The folder can be used now.
    case folderAvailable
    /// The folder has gone away while the app was running.
    case folderGone
  }

  /// A device that has checked out the version that is live here.
  public struct Sighting: Sendable, Hashable, Codable {
    /// The device's name.
    public var device: String
    /// When it checked it out.
    public var at: Timestamp

    /// Makes a sighting from its parts.
    public init(device: String, at: Timestamp) {
      self.device = device
      self.at = at
    }
  }

  /// Which of the two files is open, until the app restarts.
  public var activeStore: ActiveStore
  /// Whether this device syncs.
  public var syncEnabled: Bool
  /// Whether the synced folder can be used.
  public var availability: StoreStatus.Availability
  /// Whether the device has a network.
  public var network: StoreStatus.Network
  /// The state in one word.
  public var status: Status
  /// When this device last saved something.
  public var lastLocalSaveAt: Timestamp?
  /// When the folder was last looked at.
  public var lastCheckedAt: Timestamp?
  /// Why data cannot be synced; nil if it can.
  public var lastError: SyncErrorKind?
  /// Why a restart would open the other file; nil if it would not.
  public var restartReason: RestartReason?
  /// The devices that have checked out the version that is live here.
  public var seenBy: [Sighting]
  /// The device on which a person is editing the data, so that nothing can be saved here; nil if
  /// nobody is.
  public var lockedBy: String?
  /// The number of rows of this device that lost to a later writer and are in the history only.
  public var setAside: Int
  /// Whether changes made without the folder are on this device only, as they could not be added to
  /// the folder yet.
  public var hasChangesToAdd: Bool

  /// Makes a state from its parts, for an app's tests and previews.
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
  /// Whether a restart would open the other file.
  public var restartRequired: Bool { restartReason != nil }

  /// The state in one word, from what it follows from.
  static func status(
    _ active: ActiveStore, lastError: SyncErrorKind?, isWaiting: Bool
  ) -> Status {
    switch (active, lastError) {
    // A folder that is missing or not ours is not a failure: the data is simply here only.
    case (.local, nil), (.local, .notAuthenticated): .localOnly
    case (_, .some): .error
    case (.synced, nil): isWaiting ? .syncing : .synced
    }
  }
}
