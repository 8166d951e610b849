import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// One device: its folder, its state folder, its app, and what the service knows there.
final class Device {
  let name: String
  let place: Int
  let folder: FilePath
  let state: FilePath
  let clock: DeviceClock
  let watch: Watch
  /// Other programs' door to the files: the same times, and nobody watches.
  let files: FileSystem
  private let scenario: Scenario

  /// The app's store, while it is open.
  var store: SyncedDatabase?
  var archive: Archive?
  var versions = ArchiveListing.empty
  /// The rows that must be in some version here, or in the live file.
  var expected = Rows()
  /// The rows of other programs that nobody has had a chance to capture, as long as the service leaves the file alone.
  var edits = Rows()
  /// The locks of others that were ended here by force.
  var ended: Set<String> = []
  /// Whether the service wrote into the live file under a lock of this device.
  var isOverwrittenUnderLock = false

  /// The revisions that the service last synced.
  var base: [String: Cloud.Revision] = [:]
  var arrivals: [Arrival] = []
  /// The files of the service that were read before.
  var cache: [String: (signature: FileSignature, bytes: [UInt8])] = [:]

  static let database = "openwo.sqlite"
  static let companion = "openwo.sqlite.openwo"

  init(_ place: Int, in root: FilePath, _ scenario: Scenario, _ clock: ManualClock) throws {
    name = ["phone", "mac", "desk"][place]
    (self.place, self.scenario) = (place, scenario)
    (folder, state) = (root.appending("folder-\(name)"), root.appending("state-\(name)"))
    self.clock = DeviceClock(clock, skew: scenario.skews[place])
    let times = VirtualTimes(self.clock)
    files = FileSystem(observer: times)
    watch = Watch(times, folder: folder, state: state, canExchange: scenario.canExchange)
    for path in [folder, state] { try files.makeDirectories(path) }
    // Ids that do not come from chance.
    let identity =
      #"{"id": "device\#(place)", "machine": "\#(Machine.machineID)", "name": "\#(name)"}"#
    try AtomicFile.write(
      Array(identity.utf8), to: state.appending("device.json"), fileSystem: files)
    for path in bystanders { try AtomicFile.write([1, 2, 3], to: path, fileSystem: files) }
  }

  var live: FilePath { path(Self.database) }
  var lockName: String { "device\(place).json" }

  /// Files of somebody else's.
  var bystanders: [FilePath] { [path("notes.txt"), path("other.sqlite")] }

  func path(_ relative: String) -> FilePath { folder.pushing(FilePath(relative)) }

  /// How much of the past pruning leaves.
  var retention = Retention(last: 10)

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.stateFolder = state
    configuration.deviceName = name
    configuration.monitors = false
    configuration.settling = scenario.settling
    configuration.retention = retention
    if scenario.capturesLater { configuration.capturing = .whenIdle }
    configuration.clock = clock
    configuration.files = FileSystem(observer: watch)
    return configuration
  }

  /// The app's store, opened if it is not.
  func opened() throws -> SyncedDatabase {
    if let store { return store }
    let store = try SyncedDatabase(at: live, configuration: configuration)
    self.store = store
    if archive == nil {
      let root = state.appending("stores").appending(store.storeID)
      let folders = [root.appending("pending"), path(Self.companion).appending("versions")]
      let archive = Archive(folders: folders, fileSystem: FileSystem())
      self.archive = archive
      watch.know(archive)
    }
    return store
  }

  /// The bytes of a file; nil if there is none.
  func bytes(_ relative: String) -> [UInt8]? {
    try? files.readSmall(path(relative), limit: 1 << 26)
  }

  /// The databases beside the notes: the live file, copies, and what came out of swaps.
  func databases() throws -> [String] {
    try files.list(folder).map(\.string).filter {
      $0 != "notes.txt" && $0 != "other.sqlite" && $0 != Self.companion
    }
  }

  /// Whether the service has taken versions away that are to come back.
  var lacksVersions: Bool { arrivals.contains { $0.path.contains("/versions/") } }
}
