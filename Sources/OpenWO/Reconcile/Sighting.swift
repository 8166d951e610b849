package import OpenWOHistory

/// The state of the folder at one moment: everything that a plan is made from.
package struct Sighting: Sendable {
  /// The device that looked.
  package var device: String
  /// When it looked, by this device's clock.
  package var now: Timestamp
  package var live: Live
  /// The version that the live file was a copy of when this device last looked.
  package var current: VersionID?
  /// The live file is the same file that had that version: a program wrote into it, and nobody
  /// replaced it.
  package var isSameFile = false
  /// A program of this device wrote into that file, as its times say: no service did.
  package var isWritten = false
  /// Since when programs have written into that file and no version has its content, as far as
  /// this process has looked.
  package var unknownSince: Timestamp?
  /// Nothing has touched the live file since then; asked only under a lock.
  package var isUntouched = false
  package var graph: VersionGraph
  /// Versions whose content cannot be put together from what has arrived.
  package var incomplete: Set<VersionID> = []
  /// Devices that are gone for good: nobody waits for their missing files.
  package var forgotten: Set<String> = []
  /// When the files of the heads, and of the versions that merged heads say no more than, appeared on this device.
  package var arrivals: [VersionID: Timestamp] = [:]
  /// The parents of joins that this device cannot make.
  package var refusedJoins: Set<[VersionID]> = []
  /// Whether there is a file of a version that cannot be read just now.
  package var hasUnreadVersions = false
  /// Whether there is a copy that cannot be read just now.
  package var hasUnreadCopies = false
  /// Conflict copies and staging files left by a crash: other contents of the database in the
  /// folder.
  package var copies: [Copy] = []
  /// The lock that counts, if there is one.
  package var lock: LockInSight?
  /// No other device has ever shown itself in this store.
  package var isAlone = true
  /// A captured version waits to be published, and it is time to do so.
  package var hasPending = false
  /// Versions that vanished from the folder although nobody pruned them, and that this device has kept.
  package var vanished: Vanished?

  /// The newest versions of devices whose content has not arrived and is not what is live: they say more than what is here.
  var unarrived: [Version] {
    graph.heads.filter { head in
      guard incomplete.contains(head.id), !graph.isPruned(head.id) else { return false }
      if graph.makers(of: head.id).contains(where: { forgotten.contains($0.id) }) { return false }
      if case .whole(head.content, _) = live { return false }
      return true
    }
  }

  /// Makes a sighting; what is not given is as in a store with one device.
  package init(device: String, now: Timestamp, live: Live, graph: VersionGraph) {
    (self.device, self.now, self.live, self.graph) = (device, now, live, graph)
  }

  /// Versions that vanished from the folder.
  package struct Vanished: Sendable, Hashable {
    package var versions: [VersionID]
    /// Their contents.
    package var contents: Set<ContentHash>
    /// When they were first found to be gone.
    package var since: Timestamp

    /// Makes what was found.
    package init(versions: [VersionID], contents: Set<ContentHash>, since: Timestamp) {
      (self.versions, self.contents, self.since) = (versions, contents, since)
    }
  }

  /// The stores that this one began as; nil while nothing says that there were several.
  var beginning: Beginning?

  /// The stores that began apart in one folder.
  struct Beginning: Sendable {
    /// The id in `store.json`.
    var store: String
    /// When `store.json` took this form here.
    var since: Timestamp
    /// The copies that a service made of other `store.json`, under its own names.
    var strays: [Stray]
    /// The versions that began stores, the oldest first, with what is known of these.
    var begun: [(version: Version, manifest: StoreManifest?)] = []
  }

  /// A conflict copy of `store.json`.
  struct Stray: Sendable {
    var file: FileName
    var manifest: StoreManifest
    var since: Timestamp
  }

  /// The state of the live file.
  package enum Live: Sendable, Hashable {
    /// No file has the name; services remove it for a moment before they put a new one there.
    case missing(since: Timestamp)
    /// A whole database with this content.
    case whole(ContentHash, changedAt: Timestamp)
    /// A database in WAL mode: some program switched it, and its log may hold some rows.
    case writeAheadLog(changedAt: Timestamp)
    /// Torn, cut, empty or a mix of versions.
    case doubtful(String, changedAt: Timestamp)
    /// Not to be looked into now.
    case unreadable(Obstacle)
    /// Written while it was looked at: to be looked at again.
    case changing
  }

  /// Another file with content of this database.
  package struct Copy: Sendable, Hashable {
    package var file: FileName
    /// nil while it is not whole, or if it is not a copy of this database.
    package var content: ContentHash?
    package var changedAt: Timestamp
    /// The file's modification time: when it was written, by the writer's clock.
    package var modifiedAt: Timestamp
    /// How it came to be there.
    package var origin: Origin

    /// Makes what was seen of a file.
    package init(
      file: FileName, content: ContentHash?, changedAt: Timestamp, modifiedAt: Timestamp,
      origin: Origin
    ) {
      (self.file, self.content, self.origin) = (file, content, origin)
      (self.changedAt, self.modifiedAt) = (changedAt, modifiedAt)
    }
  }

  /// How another file with content of this database came to be there.
  package enum Origin: Sendable, Hashable {
    /// A staging file of ours, left by a crash.
    case staging
    /// A service's conflict copy, by its name for certain.
    case service
    /// A service's by a word in its name: known content is somebody's own backup.
    case perhapsService
    /// A name that people choose as well as services: known content is somebody's own backup.
    case perhapsPerson
    /// A service's copy whose removal would remove the database elsewhere.
    case unremovable

    /// Whether the name alone does not prove that it is a copy.
    var isWeak: Bool { self == .perhapsService || self == .perhapsPerson }
  }

  /// The lock that counts and whether this device still has to answer it.
  package struct LockInSight: Sendable, Hashable {
    package var lock: StoreLock
    package var isOurs: Bool
    package var isAcknowledged: Bool

    /// Makes what was seen of a lock.
    package init(lock: StoreLock, isOurs: Bool, isAcknowledged: Bool) {
      (self.lock, self.isOurs, self.isAcknowledged) = (lock, isOurs, isAcknowledged)
    }
  }
}
