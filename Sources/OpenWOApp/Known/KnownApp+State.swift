import OpenWO
import OpenWOFiles
import SystemPackage

/// How it is.
extension KnownApp {
  /// How syncing is: as the running app has it, else as its next start would.
  public func state() -> SyncState {
    let enabled = syncEnabled
    let choice = StoreChoice(syncEnabled: enabled, finding)
    let launch = launches.first
    let isLost = choice == .synced && launch?.activeStore != .synced && hasLostStore
    let active =
      launch?.activeStore ?? (choice == .synced && !isLost ? .synced : .local)
    let network = NetworkProbe().look()
    if finding == .notYet, enabled, active != .synced || launch == nil {
      return unknown(enabled, network)
    }
    guard active == .synced, finding.availability == .available, let path = description.syncedFile
    else { return local(launch, choice, active, network, isLost: isLost) }
    if launch == nil, !isBegun { return unknown(enabled, network) }
    var state = SyncState.ofStore(path: path, looking, reads: true).state
    state.syncEnabled = enabled
    state.restartReason = restartReason(launch, choice, enabled)
    if failedReport != nil { add(untold: &state) }
    return state
  }

  /// Data of this device that could not be brought in: a lock is no failure, all else is.
  private func add(untold state: inout SyncState) {
    state.hasChangesToAdd = true
    guard state.lastError == nil, state.lockedBy == nil else { return }
    (state.lastError, state.status) = (.serviceUnavailable, .error)
  }

  /// Nobody has looked at the folder yet.
  private func unknown(_ enabled: Bool, _ network: StoreStatus.Network) -> SyncState {
    SyncState(
      activeStore: .local, syncEnabled: enabled, availability: finding.availability,
      network: network, status: .checking)
  }

  private func local(
    _ launch: AppLaunch?, _ choice: StoreChoice, _ active: SyncState.ActiveStore,
    _ network: StoreStatus.Network, isLost: Bool
  ) -> SyncState {
    let enabled = syncEnabled
    let restart = restartReason(launch, choice, enabled)
    var error: SyncErrorKind?
    if isLost || restart == .folderGone {
      error = .notAuthenticated
    } else if active == .synced {
      error = .serviceUnavailable
    } else if case .local(let reason) = choice {
      error = reason.errorKind
    } else if let reason = launch?.localReason, restart == nil {
      error = SyncErrorKind(word: reason)
    }
    return SyncState(
      activeStore: active, syncEnabled: enabled, availability: finding.availability,
      network: network,
      status: restart == .folderGone
        ? .error : SyncState.status(active, lastError: error, isWaiting: false),
      lastError: error, restartReason: restart)
  }

  /// Why the running app would open the other file after a restart.
  private func restartReason(
    _ launch: AppLaunch?, _ choice: StoreChoice, _ enabled: Bool
  ) -> SyncState.RestartReason? {
    guard let launch else { return nil }
    if launch.syncEnabled != enabled { return .switchMoved }
    guard let reason = launch.localReason else {
      return enabled && finding.availability == .noAccount ? .folderGone : nil
    }
    guard choice == .synced else { return nil }
    let waits = ["noAccount", "restricted", "noAnswer", "full"]
    if waits.contains(reason) { return .folderAvailable }
    return reason == StoreError.Code.busy.description && isReadable ? .folderAvailable : nil
  }

  /// Whether the file in the folder, which was busy at launch, can be looked into now.
  private var isReadable: Bool {
    guard let path = description.syncedFile else { return false }
    return SyncState.ofStore(path: path, looking, reads: true).error == nil
  }

  /// How its store is opened for a look, which waits for nobody.
  private var looking: Configuration {
    var configuration = configuration
    (configuration.monitors, configuration.opensAsFound) = (false, true)
    configuration.busyTimeout = .milliseconds(200)
    return configuration
  }

  private var record: AttachmentRecord? { try? AttachmentRecord.load(memory, configuration.files) }

  private var storeID: String? {
    description.syncedFile.flatMap {
      SyncedDatabase.storeID(at: FilePath($0), configuration.files)
    }
  }

  /// Whether the folder has no store, though this device knows one of it.
  private var hasLostStore: Bool { record?.current != nil && storeID == nil }

  /// Whether there is a store that can be looked into.
  private var isBegun: Bool { storeID != nil || record?.current != nil }
}

extension FolderFinding {
  /// Nothing is known yet, as the folder has not answered.
  public static let notYet = FolderFinding(.unknown)
}

extension SyncErrorKind {
  /// The kind that a launch wrote down in a word.
  fileprivate init?(word: String) {
    let codes: [StoreError.Code] = [
      .noSpace, .notPermitted, .otherStore, .noStore, .unavailable, .io, .inDoubt, .traces, .busy,
      .damaged, .notADatabase, .notRestorable, .newerFormat, .newerSchema,
    ]
    guard let code = codes.first(where: { $0.description == word }) else { return nil }
    self.init(code)
  }
}

/// How its data came into the folder.
extension KnownApp {
  /// The reports of it, the newest first.
  public var reports: [AttachReport] {
    let folder = memory.appending("log")
    let names = ((try? configuration.files.list(folder)) ?? []).filter {
      $0.string.hasPrefix("attach-")
    }
    return names.sorted { $0.string > $1.string }.compactMap {
      try? CompanionFile.read(
        AttachReport.self, at: folder.appending($0), configuration.files)
    }
  }

  /// Why this device's own data is not in the folder, as long as it is not.
  public var failedReport: AttachReport? {
    guard let last = reports.first, last.kind == .failed, let kept = last.keptAt,
      (try? configuration.files.statusIfPresent(FilePath(kept))) != nil
    else { return nil }
    return last
  }

  /// Whether somebody has been told of something.
  public func isTold(_ news: String) -> Bool {
    values[Self.toldKey]?.text?.split(separator: " ").contains { $0 == news } == true
  }

  /// Remembers that somebody has been told of something: the last few things are enough.
  public func noteTold(_ news: String) throws {
    let known = values[Self.toldKey]?.text?.split(separator: " ").map(String.init) ?? []
    try values.set(
      Self.toldKey, (known.filter { $0 != news } + [news]).suffix(20).joined(separator: " "))
  }

  private static let toldKey = "page.told"
}
