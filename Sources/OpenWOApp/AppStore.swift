import Dispatch
import OpenWOFiles
import Synchronization
import SystemPackage

/// An app's database: in the synced folder if that can be used, otherwise on this device alone.
///
/// ```swift
/// let app = try await AppStore.open(profile)
/// let titles = try await app.database.read { db in
///   try db.rows("SELECT title FROM todo") { try $0.get(0) as String }
/// }
/// ```
///
/// Which of the two files is open is decided at launch and does not change until a restart;
/// ``SyncState/restartRequired`` says when a restart would open the other one. Local data moves
/// into the folder automatically, once.
public final class AppStore: Sendable {
  /// The open database.
  public let database: SyncedDatabase
  /// Which of the two files it is.
  public let activeStore: SyncState.ActiveStore
  /// Why the local file is open; nil if the one in the synced folder is.
  public let localReason: LocalReason?
  /// The values that the app keeps on this device alone.
  public let values: DeviceValues
  let profile: AppProfile
  let places: AppPlaces
  let board: SyncBoard
  let attaching: Mutex<Attaching>
  let enabledAtLaunch: Bool
  private let following = Mutex<[Task<Void, Never>]>([])
  private let attached = Mutex<Task<AttachReport?, Never>?>(nil)

  /// Opens the right database.
  ///
  /// It waits for the folder only up to the limit, and not for a merge.
  ///
  /// - Throws: ``/OpenWO/StoreError`` if not even the local file can be opened. A folder that fails is not
  ///   an error: then the local file is open, and `localReason` says why.
  public static func open(
    _ profile: AppProfile, _ places: AppPlaces = AppPlaces()
  ) async throws -> AppStore {
    let board = SyncBoard()
    let enabled = DeviceValues(profile, places).syncEnabled(profile)
    var finding = FolderFinding(.unknown)
    if enabled {
      finding = await TimedLook.look(
        at: places.folder?.string, places.folderProbe, limit: places.probeLimit
      ) { board.found($0) }
    }
    let first = finding
    return try await offCaller {
      let store = try AppStore(profile, places, board, enabled, first)
      store.start()
      store.leaveTraces()
      return store
    }
  }

  private init(
    _ profile: AppProfile, _ places: AppPlaces, _ board: SyncBoard, _ enabled: Bool,
    _ finding: FolderFinding
  ) throws {
    var attaching = try Attaching(profile, places)
    let opened = try Self.launch(&attaching, StoreChoice(syncEnabled: enabled, finding))
    (database, localReason) = opened
    activeStore = opened.reason == nil ? .synced : .local
    values = DeviceValues(profile, places)
    (self.profile, self.places, self.board, enabledAtLaunch) = (profile, places, board, enabled)
    self.attaching = Mutex(attaching)
    let last = values[DeviceValues.lastCheckedKey]?.integer
    board.begin(
      finding, problem: opened.reason?.errorKind,
      checkedAt: last.map { Timestamp(milliseconds: $0) })
    noteChecked()
  }

  private static func launch(
    _ attaching: inout Attaching, _ choice: StoreChoice
  ) throws -> (database: SyncedDatabase, reason: LocalReason?) {
    switch choice {
    case .local(let reason): return (try attaching.openLocal(), reason)
    case .synced:
      guard let path = attaching.places.synced(attaching.profile) else {
        return (try attaching.openLocal(), .noAccount)
      }
      do {
        return (try attaching.openSynced(path), nil)
      } catch {
        return (try attaching.openLocal(), .failed(StoreError(onDevice: error)))
      }
    }
  }

  deinit {
    stopFollowing()
    board.finish()
  }

  func follow(_ task: Task<Void, Never>) {
    following.withLock { $0.append(task) }
  }

  func stopFollowing() {
    for task in following.withLock({ $0 }) { task.cancel() }
  }

  /// Runs a body on a thread that may wait for files.
  static func offCaller<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }
}

/// The work in the background.
extension AppStore {
  private func start() {
    board.onChange { [weak self] in self?.computed() }
    // The store is locked meanwhile.
    database.onOutcome { [weak board] in
      guard let board else { return }
      DispatchQueue.global().async { board.refresh() }
    }
    let events = database.events()
    let task = Task { [weak self] in
      for await event in events {
        guard let self else { return }
        try? await Self.offCaller { self.follow(event) }
      }
    }
    follow(task)
    let attach = Task { try? await Self.offCaller { self.attach() } }
    attached.withLock { $0 = attach }
    if isBusyFolder { tryAgainLater() }
    board.refresh()
  }

  /// How the local data moved into the folder at this launch; nil if there was none.
  ///
  /// It waits until the move is done.
  public func attachment() async -> AttachReport? {
    let task = attached.withLock { $0 }
    return await task?.value ?? nil
  }

  private func attach() -> AttachReport? {
    guard activeStore == .synced else { return nil }
    let report = try? attaching.withLock { try $0.mergeLocal(into: database) ?? $0.atLaunch }
    let hasFailed = report?.kind == .failed
    board.note(hasChangesToAdd: hasFailed)
    // A person's edit is not a failure: the local changes are added when the edit ends.
    let isLocked = hasFailed && (try? database.syncFacts())?.lock != nil
    if hasFailed && !isLocked { board.note(problem: .serviceUnavailable) }
    tidy()
    keepMirror()
    countSetAside()
    return report
  }

  /// Adds what could not be added at launch.
  func attachAgain() {
    if board.hasChangesToAdd { _ = attach() }
  }

  func follow(_ event: StoreEvent) {
    // The file of this device says nothing of syncing: why it is open stays so until the next start.
    if activeStore == .synced { board.note(event) }
    if case .unlocked = event { attachAgain() }
    if event.bringsRows { tidy() }
    if case .published = event { keepMirror() }
    if case .imported = event { keepMirror() }
    switch event {
    case .settled, .imported, .captured(_, reason: .merge), .joined: countSetAside()
    default: break
    }
    board.refresh()
  }

  /// Runs the profile's `tidying`, which removes duplicates that two devices made independently.
  private func tidy() {
    guard let tidying = profile.tidying else { return }
    do {
      try database.write { db in
        let before = db.totalChanges
        try tidying(db)
        // A transaction that changed no row would make a version all the same.
        if db.totalChanges == before { throw InOrder() }
      }
    } catch is InOrder {
    } catch {
      note(error)
    }
  }

  private struct InOrder: Error {}

  /// The copy for times without the folder; a large one waits until the app goes to the background.
  private func keepMirror() {
    guard activeStore == .synced else { return }
    try? attaching.withLock { try $0.keepMirror(of: database, upTo: 8 << 20) }
  }

  func computed() -> SyncState? {
    let facts = try? database.syncFacts()
    let finding = board.finding
    let enabled = values.syncEnabled(profile)
    let network = places.networkProbe.look()
    let restart = restartReason(enabled, finding)
    // Without its folder nothing is in step, whatever was known before.
    let problem: SyncErrorKind? =
      restart == .folderGone
      ? .notAuthenticated
      : board.problem ?? unsettled(facts)
        ?? (activeStore == .synced && network == .offline ? .networkUnavailable : nil)
    return SyncState(
      activeStore: activeStore, syncEnabled: enabled, availability: finding.availability,
      network: network,
      status: SyncState.status(
        activeStore, lastError: problem,
        isWaiting: board.hasChangesToAdd || facts?.isUpToDate != true),
      lastLocalSaveAt: facts?.lastLocalSaveAt, lastCheckedAt: board.checkedAt, lastError: problem,
      restartReason: restart, seenBy: facts.map(sightings) ?? [],
      lockedBy: facts?.lock?.deviceName, setAside: activeStore == .synced ? board.setAside : 0,
      hasChangesToAdd: board.hasChangesToAdd)
  }

  /// What the last look at the folder left for a person to do.
  private func unsettled(_ facts: SyncFacts?) -> SyncErrorKind? {
    guard activeStore == .synced, case .unsettled(let error) = facts?.outcome else { return nil }
    return SyncErrorKind(unsettled: error)
  }

  /// Computed each time, so that switching back takes it back.
  private func restartReason(
    _ enabled: Bool, _ finding: FolderFinding
  ) -> SyncState.RestartReason? {
    if enabled != enabledAtLaunch { return .switchMoved }
    switch localReason {
    case nil: return enabled && finding.availability == .noAccount ? .folderGone : nil
    case .failed: return board.canOpenSynced ? .folderAvailable : nil
    case .switchedOff: return nil
    case .noAccount, .restricted, .noAnswer, .full:
      return StoreChoice(syncEnabled: enabled, finding) == .synced ? .folderAvailable : nil
    }
  }

  private func sightings(_ facts: SyncFacts) -> [SyncState.Sighting] {
    guard activeStore == .synced, let live = facts.live else { return [] }
    return facts.devices.filter { !$0.isThisDevice && $0.head == live }.compactMap { device in
      device.headSince.map { SyncState.Sighting(device: device.name, at: $0) }
    }.sorted { $0.at < $1.at }
  }
}
