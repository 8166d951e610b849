import OpenWOFiles
import SystemPackage

/// An app of this device, as somebody else sees it: how it stands, and its switch.
public struct KnownApp: Sendable {
  /// What the app has left behind.
  public let description: AppDescription
  private let memory: FilePath
  private let configuration: Configuration
  private let launches: [AppLaunch]

  private init?(_ memory: FilePath, _ configuration: Configuration) {
    let path = memory.appending("profile.json")
    guard
      let found = try? CompanionFile.read(AppDescription.self, at: path, configuration.files)
    else { return nil }
    (description, self.memory, self.configuration) = (found, memory, configuration)
    launches = AppLaunch.running(memory, configuration.files)
  }

  /// The apps that have been started on this device, in order of name; development data stands apart and counts as an app of its own.
  public static func all(_ configuration: Configuration) -> [KnownApp] {
    let files = configuration.files
    let top = configuration.resolvedStateFolder.appending("apps")
    func folders(_ folder: FilePath) -> [FilePath] {
      ((try? files.list(folder)) ?? []).sorted { $0.string < $1.string }.map {
        folder.appending($0)
      }
    }
    return folders(top).flatMap { app in
      ([app] + folders(app)).compactMap { KnownApp($0, configuration) }
    }
  }

  /// Whether the app runs now.
  public var isRunning: Bool { !launches.isEmpty }

  /// The word that names it in addresses: its id, and the environment where that is another one.
  public var name: String {
    description.environment == "production"
      ? description.app : "\(description.app)@\(description.environment)"
  }

  /// The texts of the app.
  public func texts(_ language: Language) -> Catalogue { Catalogue(language, description.wording) }
}

/// Its switch.
extension KnownApp {
  private var values: DeviceValues {
    DeviceValues(folder: memory.appending("values"), files: configuration.files)
  }

  /// Whether this device is to sync.
  public var syncEnabled: Bool {
    guard description.hasSwitch else { return true }
    return values[DeviceValues.syncKey]?.bool ?? description.syncsByDefault
  }

  /// Says whether this device is to sync from the app's next start on.
  ///
  /// - Throws: ``StoreError`` with `usage` when the app has no such switch, `noSpace`, `notPermitted`.
  public func setSyncEnabled(_ enabled: Bool) throws {
    guard description.hasSwitch else {
      throw StoreError(
        .usage, "this app has no switch for syncing", hint: "see its state: openwo status")
    }
    try values.set(DeviceValues.syncKey, enabled)
  }
}

/// How it stands.
extension KnownApp {
  /// How syncing stands: as the running app has it, else as its next start would.
  public func state() -> SyncState {
    let finding = look()
    let enabled = syncEnabled
    let choice = StoreChoice(syncEnabled: enabled, finding)
    let launch = launches.first
    let active = launch?.activeStore ?? (choice == .synced ? .synced : .local)
    let network = NetworkProbe().look()
    guard active == .synced, finding.availability == .available, let path = description.syncedFile
    else { return local(finding, launch, choice, active, enabled, network) }
    var configuration = configuration
    (configuration.monitors, configuration.opensAsItStands) = (false, true)
    var state = SyncState.ofStore(path: path, configuration).state
    state.syncEnabled = enabled
    state.restartReason = restartReason(launch, choice, enabled)
    return state
  }

  private func look() -> FolderFinding {
    description.syncFolder.map { FolderProbe().look(at: $0) } ?? FolderFinding(.noAccount)
  }

  private func local(
    _ finding: FolderFinding, _ launch: AppLaunch?, _ choice: StoreChoice,
    _ active: SyncState.ActiveStore, _ enabled: Bool, _ network: StoreStatus.Network
  ) -> SyncState {
    var error: SyncErrorKind?
    if active == .synced {
      error = .serviceUnavailable
    } else if case .local(let reason) = choice {
      error = reason.errorKind
    }
    return SyncState(
      activeStore: active, syncEnabled: enabled, availability: finding.availability,
      network: network, status: SyncState.status(active, lastError: error, isWaiting: false),
      lastError: error, restartReason: restartReason(launch, choice, enabled))
  }

  /// Why the running app would open the other file after a restart.
  private func restartReason(
    _ launch: AppLaunch?, _ choice: StoreChoice, _ enabled: Bool
  ) -> SyncState.RestartReason? {
    guard let launch else { return nil }
    if launch.syncEnabled != enabled { return .switchMoved }
    let waits = ["noAccount", "restricted", "noAnswer", "full"]
    guard let reason = launch.localReason, waits.contains(reason), choice == .synced else {
      return nil
    }
    return .folderAvailable
  }

  /// Whether the folder of an app that has its file open has gone.
  public var hasLostFolder: Bool {
    launches.first?.activeStore == .synced && look().availability == .noAccount
  }
}

/// Being told of changes.
extension KnownApp {
  /// The files and folders whose times change when the app or its data does.
  public var watched: [String] {
    let own = ["values", "launches"].map { memory.appending($0).string }
    let folder = description.syncFolder.map { [$0] } ?? []
    guard let file = description.syncedFile else { return own + folder }
    let companion = ["", "/locks", "/devices", "/versions"].map { file + ".openwo" + $0 }
    return own + folder + [file] + companion
  }
}
