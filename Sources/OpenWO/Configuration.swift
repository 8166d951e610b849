package import OpenWOFiles
package import OpenWOHistory
public import OpenWOSQLite
public import SystemPackage

/// How one device opens a store.
///
/// The defaults suit an app.
public struct Configuration: Sendable {
  /// This device's state folder, never inside a synced folder; nil: `$OPENWO_STATE_DIR`, else
  /// `$XDG_STATE_HOME/openwo`, else `~/.local/state/openwo`.
  public var stateFolder: FilePath?
  /// What people call this device; nil: `$OPENWO_DEVICE_NAME`, else the host's name.
  public var deviceName: String?
  /// The app that the database belongs to, such as `org.example.openwo`.
  public var app = ""
  /// `production`, or a name that keeps development data apart.
  public var environment = "production"
  /// How several heads are resolved; nil: the store's policy.
  public var settling: SettlePolicy?
  /// The merge rules by table, for rows that both sides changed; other tables are merged cell by
  /// cell.
  ///
  /// All devices should have the same rules.
  public var mergeRules: [String: MergeRule] = [:]
  /// References, keys and places of tables that their definitions do not say, for merges.
  ///
  /// All devices are to have the same ones. Those of the store count as well.
  public var mergeDeclarations: [MergeDeclaration] = []
  /// Rows that stay when another device's version is checked out, such as an active workout.
  public var pinned: [PinnedRows] = []
  /// When a write becomes a version.
  public var capturing = Capturing.immediately
  /// When versions are published.
  ///
  /// Until then, small writes are combined into one version.
  public var publishing = Cadence.debounced(seconds: 2)
  /// The migrations that bring the schema up to date, run at open.
  public var migrations: Migrations?
  /// Whether a background thread yields to locks, imports arrivals, and publishes.
  public var monitors = true
  /// The interval at which the background thread lists the folder, for network folders without
  /// notifications; nil: it waits for notifications.
  public var pollInterval: Duration?
  /// How long a transaction waits for another program's transaction.
  public var busyTimeout: Duration = .seconds(5)
  /// The service that coordinates the use of the folder; on Apple's systems `ICloudFolder`,
  /// elsewhere ``PlainFolder``.
  public var folderService: any FolderService = PlainFolder.ofSystem

  /// Whether the store is opened without a sync: nothing is reconciled at open and nothing is
  /// published at close.
  ///
  /// This is for a command or a page, which does one thing and changes nothing else.
  public var opensAsFound = false

  /// Whether a new store is refused if its declarations name columns that are not there, as a person's words may.
  package var checksDeclarations = false
  package var retention = Retention.standard
  package var clock: any StoreClock = SystemClock()
  package var files = FileSystem()
  /// The caller's name for the database, for messages in the same working folder; nil: messages
  /// have the whole path.
  package var databaseName: DatabaseName?
  /// Is told at once of a damaged file that was kept aside, by a command that has no other place to say it.
  package var whenKeptAside: (@Sendable (StoreError) -> Void)?
  package var policy = Policy()

  /// Makes a configuration with all defaults.
  public init() {}
}

/// When a write becomes a version.
public enum Capturing: Sendable, Hashable {
  /// Before the write returns.
  case immediately
  /// After a pause of half a second, and at close: the writes of a burst are one version.
  ///
  /// Until then they are durable in the database alone, and a service that overwrites it in place
  /// removes them.
  case whenIdle
}

/// When versions are published.
public enum Cadence: Sendable, Hashable {
  /// As soon as the background thread can, and at close.
  case immediately
  /// After this many seconds without another write, and at close.
  case debounced(seconds: Int)
}

extension Configuration {
  /// The state folder that counts.
  package var resolvedStateFolder: FilePath {
    if let stateFolder { return stateFolder }
    if let folder = folder(named: "OPENWO_STATE_DIR") { return folder }
    if let folder = folder(named: "XDG_STATE_HOME") { return folder.appending("openwo") }
    return Machine.stateFolder(inHome: folder(named: "HOME") ?? ".")
  }

  /// The device's name that counts; nil: the host's.
  var resolvedDeviceName: String? {
    deviceName
      ?? OwnProcess.variable("OPENWO_DEVICE_NAME").map { String(decoding: $0, as: UTF8.self) }
  }

  /// How long a write waits for what is in its way, in milliseconds.
  var writePatience: Int64 { busyTimeout.nanoseconds / 1_000_000 }

  private func folder(named variable: String) -> FilePath? {
    OwnProcess.variable(variable).map { FilePath(bytes: $0) }
  }
}
