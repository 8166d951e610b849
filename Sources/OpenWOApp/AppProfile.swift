@_exported public import OpenWO

/// An app's description of its data: names, migrations, and how much of syncing the app shows.
public struct AppProfile: Sendable {
  /// Whether the app has a switch for syncing.
  public enum Switch: Sendable, Hashable {
    /// No switch: the app syncs whenever the folder can be used.
    case none
    /// A switch for the user, with its initial value.
    case user(isOn: Bool)
  }

  /// How much of syncing the app shows.
  public enum Display: Sendable, Hashable {
    /// A section with state, guidance and times.
    case full
    /// A single word and a button.
    case indicator
    /// Only the switch.
    case nothing
  }

  /// The app that the database belongs to, such as `org.example.trainlog`; also its folder's name on this device.
  public var app: String
  /// The name of the local file.
  public var localFile: String
  /// The name of the file in the synced folder.
  public var syncedFile: String
  /// `production`, or a name that keeps development data apart: its files are in a folder of that
  /// name.
  public var environment = "production"
  /// The migrations that bring the schema up to date.
  public var migrations: Migrations?
  /// How conflicts are resolved; nil: the store's policy.
  public var settling: SettlePolicy?
  /// The merge rules by table, for rows that both sides changed.
  public var mergeRules: [String: MergeRule] = [:]
  /// References, keys and places of tables that their definitions do not say, for merges.
  public var mergeDeclarations: [MergeDeclaration] = []
  /// Rows that stay when another device's version is checked out, such as an active workout.
  public var pinned: [PinnedRows] = []
  /// When versions are published.
  public var publishing = Cadence.debounced(seconds: 2)
  /// Whether the app has a switch for syncing.
  public var syncSwitch = Switch.none
  /// How much of syncing the app shows.
  public var display = Display.full
  /// The name of the synced folder in texts.
  public var wording = Wording.folder
  /// The explanation of the switch in the app's own words; nil: the catalogue's.
  public var explanation: Translated?
  /// What people call the app; nil: its id.
  public var name: Translated?
  /// The app's own form of its data, for those who export without the app; nil: all tables as JSON.
  public var export: AppExport?
  /// Removes duplicates that two devices made independently; runs as a write after rows arrive from
  /// other devices.
  public var tidying: (@Sendable (Connection) throws -> Void)?

  /// Makes a profile from the names; everything else has defaults.
  public init(app: String, localFile: String, syncedFile: String) {
    self.app = app
    self.localFile = localFile
    self.syncedFile = syncedFile
  }

  /// Whether the app syncs before its user has made a choice.
  public var syncsByDefault: Bool {
    switch syncSwitch {
    case .none: true
    case .user(let isOn): isOn
    }
  }
}
