@_exported public import OpenWO

/// What an app says once about its data: names, steps of the schema, and how much of syncing it shows.
public struct AppProfile: Sendable {
  /// Whether the app has a switch for syncing.
  public enum Switch: Sendable, Hashable {
    /// It has none: it syncs whenever the folder can be used.
    case none
    /// The user has one; it begins so.
    case user(isOn: Bool)
  }

  /// How much of syncing the app shows.
  public enum Display: Sendable, Hashable {
    /// A section with state, guidance and times.
    case full
    /// One word and a button.
    case indicator
    /// Nothing but the switch.
    case nothing
  }

  /// The app that the database belongs to, such as `org.example.trainlog`; also its folder's name on this device.
  public var app: String
  /// The file's name while it is on this device only.
  public var localFile: String
  /// The file's name in the synced folder.
  public var syncedFile: String
  /// `production`, or a name that keeps development data apart: its files stand in a folder of that name.
  public var environment = "production"
  /// The steps that bring the schema to what the app knows.
  public var migrations: Migrations?
  /// How two devices that wrote at the same time become one; nil: as the store says.
  public var settling: SettlePolicy?
  /// What happens to rows that both sides of a merge changed, by table.
  public var mergeRules: [String: MergeRule] = [:]
  /// References, keys and places of tables that their definitions do not say, for merges.
  public var mergeDeclarations: [MergeDeclaration] = []
  /// Rows that stay while versions of other devices are adopted, such as a workout under way.
  public var pinned: [PinnedRows] = []
  /// When versions are put where the service takes them.
  public var publishing = Cadence.debounced(seconds: 2)
  /// Whether the app has a switch for syncing.
  public var syncSwitch = Switch.none
  /// How much of syncing the app shows.
  public var display = Display.full
  /// What the synced folder is called in texts.
  public var wording = Wording.folder
  /// What the switch does, in the app's own words; nil: the catalogue's.
  public var explanation: Translated?
  /// What people call the app; nil: its id.
  public var name: Translated?
  /// The app's own form of its data, for those who export without the app; nil: all tables as JSON.
  public var export: AppExport?
  /// Brings rows to order that two devices made each for itself; runs as a write after rows came from elsewhere.
  public var tidying: (@Sendable (Connection) throws -> Void)?

  /// Makes a profile of the names; the rest has defaults.
  public init(app: String, localFile: String, syncedFile: String) {
    self.app = app
    self.localFile = localFile
    self.syncedFile = syncedFile
  }

  /// Whether the app syncs before its user has said anything.
  public var syncsByDefault: Bool {
    switch syncSwitch {
    case .none: true
    case .user(let isOn): isOn
    }
  }
}
