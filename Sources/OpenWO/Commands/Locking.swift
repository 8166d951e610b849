import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Takes the lock, as `LockDecision` says.
struct Locking: StoreCommand {
  /// What a call for the lock has reached.
  struct Progress: Sendable {
    /// Until when it waits for another lock and for devices, by the monotonic clock.
    var deadline: Int64
    var hasLooked = false
    /// Whether it has waited for devices as long as it does; after that only programs of this machine keep it waiting.
    var hasHeard = false
    /// The lock that it has asked for.
    var asked: StoreLock?
  }

  let store: Store
  var request = LockRequest()

  /// Takes the lock without waiting for another lock or for devices.
  ///
  /// - Throws: `locked` if somebody else holds it, `busy` if a program keeps the file.
  func atOnce() throws -> LockReport {
    // As a call of its own, which waits with the store held.
    let outer = store.call
    store.call = StoreCall()
    defer { store.call = outer }
    var progress = Progress(deadline: store.clock.monotonic())
    do {
      while true {
        if let report = try advance(&progress) { return report }
      }
    } catch {
      if let asked = progress.asked { try? coordinator.removeLock(asked.id) }
      throw error
    }
  }

  /// Takes steps until the lock is asked for, or else held; returns the report when it is held.
  func advance(_ progress: inout Progress) throws -> LockReport? {
    while true {
      switch LockDecision(try observe(progress)) {
      case .look:
        try SyncLoop(store: store).runAndLetGo()
        progress.hasLooked = true
      case .waitForHolder: try session.pause(nanoseconds: 20_000_000)
      case .ask:
        progress.asked = try publish(progress.deadline)
        return nil
      case .waitForDevices: try session.pause(nanoseconds: 100_000_000)
      case .start:
        progress.hasHeard = true
        progress.asked = try progress.asked.map { asked in try session.alone { try start(asked) } }
      case .held: return try progress.asked.map(report)
      case .refuse(let why): throw error(why)
      }
    }
  }

  /// Refuses if the lock would be refused, and returns the devices that it would wait for.
  func plan() throws -> [DeviceSummary] {
    try session.run {
      var facts = LockFacts(device: store.device.id, holder: try coordinator.lockInSight())
      facts.hasLooked = true
      if case .refuse(let why) = LockDecision(facts) { throw error(why) }
      do {
        try session.awaitProgram()
      } catch let error as SQLiteError where error.extendedCode == .walRefused {
        // A lock brings it back to a single file first.
      }
      return try LockReport.othersSeenLately(in: store).map(coordinator.summary)
    }
  }

  private func observe(_ progress: Progress) throws -> LockFacts {
    var facts = LockFacts(device: store.device.id, asked: progress.asked)
    facts.hasLooked = progress.hasLooked
    facts.mayWait = store.clock.monotonic() < progress.deadline
    guard let asked = progress.asked else {
      try EndedLocks(store: store).sweep(all: !progress.hasLooked)
      facts.holder = try coordinator.lockInSight()
      return facts
    }
    if asked.state == .held {
      facts.holder = try coordinator.lockInSight()
    } else if facts.mayWait && !progress.hasHeard {
      try importArrivals()
      let board = try coordinator.board()
      facts.holder = board.effective
      facts.isInFolder = board.standing.contains { $0.id == asked.id }
      let report = try LockReport(asked, in: store)
      let isHeardOfAll = try coordinator.readableDevices().unread == nil
      facts.isAwaitingDevices =
        !isHeardOfAll || !report.waitingFor.isEmpty || !report.newerOn.isEmpty
    }
    return facts
  }

  /// Takes in the last writes of other devices.
  private func importArrivals() throws {
    var policy = try rules.policy()
    policy.graceTime = 0
    try versions.refresh()
    try SyncLoop(store: store).runAndLetGo(policy)
  }

  private func publish(_ deadline: Int64) throws -> StoreLock {
    let device = store.device
    var lock = StoreLock(
      format: StoreLock.currentFormat, id: randomHex(bytes: 4), device: device.id,
      deviceName: device.name, user: Machine.userName, host: Machine.hostName,
      process: .current, program: request.program,
      note: request.note, since: store.now,
      until: request.duration.map { end(after: $0, asking: deadline) },
      head: nil, state: .asked)
    lock.place = LockPlace(of: paths, files)
    try coordinator.publish(lock)
    return lock
  }

  /// When a lock for a time ends at the latest that is asked for until a deadline: other devices cannot see that its process is gone.
  private func end(after duration: Duration, asking deadline: Int64) -> Timestamp {
    let year: Int64 = 365 * 24 * 3600
    let patience = min((deadline - store.clock.monotonic()) / 1_000_000_000, year) + 60
    return store.now.advanced(
      bySeconds: patience + min(duration.components.seconds, 100 * year))
  }

  /// Records the version that the edit starts from, now that no other process of this machine has
  /// the file open.
  ///
  /// Until here the lock ends with its process, so that a command killed while it waits blocks
  /// nobody; its time counts from here.
  private func start(_ asked: StoreLock) throws -> StoreLock {
    // A write that had begun before the lock was asked for has ended since.
    try store.catchUp()
    guard try files.statusIfPresent(paths.database) != nil else {
      throw StoreError.missing(paths)
    }
    var held = asked
    held.head = try startingVersion()
    try publishing.run()
    held.state = .held
    held.until = request.duration.map {
      store.now.advanced(byMilliseconds: $0.nanoseconds / 1_000_000)
    }
    if request.outlivesProcess { held.process = nil }
    if try coordinator.update(held) { return held }
    var facts = LockFacts(device: store.device.id, asked: held, isInFolder: false)
    facts.holder = try coordinator.board().effective
    guard case .refuse(let why) = LockDecision(facts) else { return held }
    throw error(why)
  }

  private func startingVersion() throws -> VersionID {
    let file = try session.awaitProgram()
    let start = try EditStart(
      recorded: workingCopy.isAsRecorded(file.signature) ? workingCopy.currentVersion()?.id : nil,
      live: VersionDetector(store: store).lookAtLive(versions.listed()), now: store.now,
      settleTime: rules.policy().settleTime)
    switch start {
    case .recorded(let version): return version
    case .capture: return try LiveCapture(store: store).captureFound(reason: .external).id
    case .refuse(let live, let isAwaited):
      throw live.refusal(isAwaited: isAwaited, paths)
    }
  }

  private func report(_ lock: StoreLock) throws -> LockReport {
    let report = try LockReport(lock, in: store)
    store.lockNews.took(lock)
    store.lockNews.came(lock)
    return report
  }

  private func error(_ why: LockDecision.Refusal) -> StoreError {
    switch why {
    case .locked(let lock): coordinator.isLocked(by: lock)
    case .ended(let lock): .lockEnded(lock, paths)
    }
  }
}

/// A person's lock, which one process takes and another one ends.
extension Locking {
  /// Takes over the lock of this device that waits for a person.
  func resume(_ id: String) throws -> StoreLock? {
    guard var lock = try coordinator.ownLock(), lock.id == id, lock.state == .held,
      !lock.endsWithProcess, try coordinator.isHeld(lock)
    else { return nil }
    lock.note = request.note ?? lock.note
    store.lockNews.took(lock)
    return lock
  }

  /// Lets the lock that this store has taken outlive its process, if it is still held.
  func leaveToPerson() throws {
    guard var lock = store.lockNews.taken else { return }
    lock.process = nil
    _ = try coordinator.update(lock)
  }
}
