import OpenWOFiles
import Synchronization
import SystemPackage

/// Events of an app's life cycle.
extension AppStore {
  /// The state of syncing now.
  public var syncState: SyncState {
    get async { (try? await Self.offCaller { self.board.current(self.computed) }) ?? board.last }
  }

  /// The state of syncing, now and after each change.
  public func syncStates() -> AsyncStream<SyncState> { board.listen() }

  /// Call this when the app comes to the foreground: it checks whether the folder is there and
  /// imports arrivals.
  public func didBecomeActive() async {
    let finding = await TimedLook.look(
      at: places.folder?.string, places.folderProbe, limit: places.probeLimit
    ) { [board] in board.found($0) }
    board.found(finding)
    try? await Self.offCaller { [self] in
      if activeStore == .synced { look() }
      attachAgain()
      if board.finding.availability == .available { tryAgain() }
      noteChecked()
      board.refresh()
    }
  }

  /// Call this when the app moves to the background or ends: it publishes pending versions and
  /// closes the file.
  public func willResignActive() async {
    try? await Self.offCaller { [self] in
      do { try database.willResignActive() } catch { note(error) }
      if activeStore == .synced { try? attaching.withLock { try $0.keepMirror(of: database) } }
      board.refresh()
    }
  }

  /// Syncs at the user's request: looks at the folder and publishes pending versions.
  ///
  /// - Throws: ``/OpenWO/StoreError``, as `reconcile` of the database; `unavailable` while the file of this device is open.
  @discardableResult
  public func syncNow() async throws -> ReconcileReport {
    guard activeStore == .synced else {
      throw StoreError(
        .unavailable, "this device keeps its data for itself now",
        advice: Advice("see why, and start the app again", .lookAgain), remedies: [.checkFolder])
    }
    return try await Self.offCaller { [self] in
      defer { board.refresh() }
      do {
        let report = try database.reconcile()
        board.note(problem: nil)
        noteChecked()
        return report
      } catch {
        note(error)
        throw error
      }
    }
  }

  /// Publishes pending versions and closes everything.
  public func close() async throws {
    _ = await attachment()
    await willResignActive()
    stopFollowing()
    try await Self.offCaller { [self] in
      takeBackLaunch()
      try database.close()
    }
  }

  private var now: Timestamp { Timestamp(milliseconds: places.configuration.clock.now()) }

  /// Looks again after a call that may have settled what the last look left open.
  func lookIfUnsettled() {
    guard activeStore == .synced else { return }
    if (try? database.syncFacts())?.outcome?.isUpToDate != true { look() }
  }

  private func look() {
    do {
      try database.didBecomeActive()
      board.note(problem: nil)
    } catch {
      note(error)
    }
  }

  /// Notes that the folder was looked at; a later launch still knows.
  func noteChecked() {
    guard activeStore == .synced else { return }
    let before = values[DeviceValues.lastCheckedKey]?.integer
    board.checked(at: now)
    // A minute is as exact as it is shown.
    if before.map({ $0 / 60_000 != now.milliseconds / 60_000 }) ?? true {
      try? values.set(DeviceValues.lastCheckedKey, .integer(now.milliseconds))
    }
  }

  /// Whether the file in the folder could not be opened at launch and may be by now.
  var isToBeTriedAgain: Bool {
    guard case .failed = localReason else { return false }
    return !board.canOpenSynced
  }

  /// Whether a program kept the file in the folder busy at launch, which ends by itself.
  var isBusyFolder: Bool {
    guard case .failed(let error) = localReason else { return false }
    return error.code == .busy && isToBeTriedAgain
  }

  /// Tries to open the file in the folder; if it can be, a new start uses it.
  func tryAgain() { try? openAgain() }

  /// Tries to open the file in the folder, and throws why it cannot be.
  func openAgain(syncing: Bool = false) throws {
    guard isToBeTriedAgain, let path = places.synced(profile) else { return }
    try attaching.withLock { try $0.trySynced(path, syncing: syncing) }
    board.noteOpenable()
    board.note(problem: nil)
  }

  func note(_ error: any Error) {
    if let kind = SyncErrorKind(StoreError(onDevice: error).code) { board.note(problem: kind) }
  }
}

/// The switch.
extension AppStore {
  /// Whether this device syncs from the next start on.
  public var syncEnabled: Bool { values.syncEnabled(profile) }

  /// Sets whether this device syncs from the next start on; stored on this device only.
  ///
  /// Switching off copies the live data to this device and leaves the folder as it is.
  ///
  /// - Throws: ``/OpenWO/StoreError`` with `usage` if the app has no such switch.
  public func setSyncEnabled(_ enabled: Bool) async throws {
    guard profile.syncSwitch != .none else {
      throw StoreError(
        .usage, "this app has no switch for syncing",
        advice: Advice("it syncs whenever its folder can be used"))
    }
    try await Self.offCaller { [self] in
      if !enabled && activeStore == .synced {
        try attaching.withLock { try $0.keepMirror(of: database) }
      }
      try values.set(DeviceValues.syncKey, enabled)
      board.refresh()
    }
  }
}

extension DeviceValues {
  /// Takes over the sync switch of an earlier app on this device, unless the user has made a choice
  /// since.
  ///
  /// Call this before the store is opened, so that the right file is opened.
  public func takeOverSwitch(isOn: Bool) throws {
    guard self[Self.syncKey] == nil else { return }
    try set(Self.syncKey, isOn)
  }

  static let syncKey = "syncEnabled"
  static let lastCheckedKey = "lastCheckedAt"

  /// Whether an app is to sync on this device.
  func syncEnabled(_ profile: AppProfile) -> Bool {
    guard profile.syncSwitch != .none else { return true }
    return self[Self.syncKey]?.bool ?? profile.syncsByDefault
  }
}
