package import OpenWOFiles
package import OpenWOHistory
public import OpenWOSQLite
public import SystemPackage

/// How one device opens a store; the defaults are right for an app.
public struct Configuration: Sendable {
  /// This device's own memory, never inside a synced folder; nil: `$OPENWO_STATE_DIR`, else `$XDG_STATE_HOME/openwo`, else `~/.local/state/openwo`.
  public var stateFolder: FilePath?
  /// What people call this device; nil: `$OPENWO_DEVICE_NAME`, else the host's name.
  public var deviceName: String?
  /// The app that the database belongs to, such as `org.example.openwo`.
  public var app = ""
  /// `production`, or a name that keeps development data apart.
  public var environment = "production"
  /// How two sides become one; nil: as the store says.
  public var settling: SettlePolicy?
  /// What happens to rows that both sides of a merge changed, by table; tables not named are merged cell by cell.
  ///
  /// All devices are to have the same ones.
  public var mergeRules: [String: MergeRule] = [:]
  /// References, keys and places of tables that their definitions do not say, for merges.
  ///
  /// All devices are to have the same ones. Those of the store count as well.
  public var mergeDeclarations: [MergeDeclaration] = []
  /// Rows that stay while versions of other devices are adopted, such as a workout under way.
  public var pinned: [PinnedRows] = []
  /// When a write is made durable as a version.
  public var capturing = Capturing.immediately
  /// When versions are put where the service takes them; until then writes become one version as long as they change few pages.
  public var publishing = Cadence.debounced(seconds: 2)
  /// The steps that bring the schema to what the app knows; run at open.
  public var migrations: Migrations?
  /// Whether a background thread lets go for locks, imports what arrives, and publishes.
  public var monitors = true
  /// How often the background thread lists the folder, for one on a network whose changes nobody tells of; nil: it waits to be told.
  public var pollInterval: Duration?
  /// How long a transaction waits for another program that has the file in one.
  public var busyTimeout: Duration = .seconds(5)

  /// Whether the store is opened as it stands: nothing is reconciled at open, nothing is published at close.
  ///
  /// So it is for a command or a page, which do one thing and change nothing else on the way.
  public var opensAsItStands = false

  /// Whether a new store is refused if its declarations name columns that are not there, as a person's words may.
  package var checksDeclarations = false
  package var retention = Retention.standard
  package var clock: any StoreClock = SystemClock()
  package var files = FileSystem()
  /// How the caller named the database, for what is read in the same working folder; nil: all that is said has its whole path.
  package var databaseName: DatabaseName?
  /// Is told at once of a damaged file that was kept aside, by a command that has no other place to say it.
  package var whenKeptAside: (@Sendable (StoreError) -> Void)?
  var policy = Policy()

  /// Takes all defaults.
  public init() {}
}

/// When a write is made durable as a version.
public enum Capturing: Sendable, Hashable {
  /// Before the write returns.
  case immediately
  /// When the app pauses for half a second, and at close: the writes of a burst are one version.
  ///
  /// Until then they are durable in the database alone, and a service that writes over it takes them away.
  case whenIdle
}

/// When versions are put where the service takes them.
public enum Cadence: Sendable, Hashable {
  /// As soon as the background thread comes to it, and at close.
  case immediately
  /// When so many seconds went by without another write, and at close.
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

  private func folder(named variable: String) -> FilePath? {
    OwnProcess.variable(variable).map { FilePath(bytes: $0) }
  }
}
