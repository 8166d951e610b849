import OpenWOHistory

/// What the version detector saw at one moment: all that a plan is made from.
struct Sighting: Sendable {
  /// The device that looked.
  var device: String
  /// When it looked, by this device's clock.
  var now: Timestamp
  var live: Live
  /// The version that the live file was a copy of when this device last looked.
  var current: VersionID?
  var graph: VersionGraph
  /// Versions whose content cannot be put together from what has arrived.
  var incomplete: Set<VersionID> = []
  /// When each head's file appeared on this device.
  var arrivals: [VersionID: Timestamp] = [:]
  /// Conflicted copies and staging files left by a crash: other contents of the database in sight.
  var copies: [Copy] = []
  /// The lock that counts, if there is one.
  var lock: LockInSight?
  /// No other device has ever shown itself in this store.
  var isAlone = true
  /// A captured version waits to be published, and it is time to do so.
  var hasPending = false

  /// The state of the live file.
  enum Live: Sendable, Hashable {
    /// No file has the name; services remove it for a moment before they put a new one there.
    case missing(since: Timestamp)
    /// A whole database with this content.
    case whole(ContentHash, changedAt: Timestamp)
    /// A database in WAL mode: some tool switched it, and some rows may stand beside it.
    case writeAheadLog
    /// Torn, cut, empty or a mix of versions.
    case doubtful(String, changedAt: Timestamp)
    /// Not to be read now: another program is in a transaction, or permission is missing.
    case unreadable(String)
  }

  /// Another file with content of this database.
  struct Copy: Sendable, Hashable {
    var file: FileName
    /// nil while it is not whole, or when it is no copy of this database at all.
    var content: ContentHash?
    var changedAt: Timestamp
    /// How it came to be there.
    var origin: Origin
  }

  /// How another file with content of this database came to be there.
  enum Origin: Sendable, Hashable {
    /// A staging file of ours, left by a crash.
    case staging
    /// A service's conflicted copy, by its name for certain.
    case service
    /// A name that services and people choose alike: known content is somebody's own backup.
    case perhapsService
    /// A service's copy whose removal would remove the database elsewhere.
    case unremovable
  }

  /// The lock that counts and whether this device still has to answer it.
  struct LockInSight: Sendable, Hashable {
    var lock: StoreLock
    var isOurs: Bool
    var isAcknowledged: Bool
  }
}
