import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Taking and ending the desktop-edit lock.
extension Store {
  /// Takes the lock without waiting for another lock or for devices.
  ///
  /// - Throws: `locked` if somebody else holds it, `busy` if a program keeps the file.
  func lockAtOnce(_ request: LockRequest) throws -> LockReport {
    // As a call of its own, which waits with the store held.
    let outer = call
    call = StoreCall()
    defer { call = outer }
    let asked = try askForLock(request, clock.monotonic())
    do {
      return try holdLock(asked, request)
    } catch {
      try? coordinator.removeLock(asked.id)
      throw error
    }
  }

  /// Asks for the lock; waits up to the deadline for another one to end.
  func askForLock(_ request: LockRequest, _ deadline: Int64) throws -> StoreLock {
    if call.hasLooked {
      try sweepEndedLocks()
    } else {
      try reconcileBeforeLock()
      call.hasLooked = true
    }
    while let standing = try coordinator.lockInSight() {
      guard clock.monotonic() < deadline else { throw coordinator.isLocked(by: standing) }
      try pause(nanoseconds: 20_000_000)
      try sweepEndedLocks()
    }
    return try publishLock(request, deadline)
  }

  /// Holds the lock that was asked for, as soon as every process of this machine has closed the live file.
  func holdLock(_ asked: StoreLock, _ request: LockRequest) throws -> LockReport {
    let lock = try alone { try start(asked, request) }
    try requireHeld(lock)
    let report = try lockReport(lock)
    lockNews.took(lock)
    lockNews.came(lock)
    return report
  }

  /// The lock that keeps this device from the live file.
  ///
  /// While this device's own lock is only requested, the last writes of other devices are still
  /// imported.
  func lockInTheWay() throws -> StoreLock? {
    try coordinator.lockInSight().flatMap { lock in
      lock.device == device.id && lock.state == .asked ? nil : lock
    }
  }

  private func reconcileBeforeLock() throws {
    try sweepEndedLocks(all: true)
    if let standing = try coordinator.lockInSight(), standing.device == device.id {
      throw coordinator.isLocked(by: standing)
    }
    try reconcileAndLetGo(policy())
  }

  private func publishLock(_ request: LockRequest, _ deadline: Int64) throws -> StoreLock {
    var lock = StoreLock(
      format: StoreLock.currentFormat, id: randomHex(bytes: 4), device: device.id,
      deviceName: device.name, user: Machine.userName, host: Machine.hostName,
      process: .current, program: request.program,
      note: request.note, since: now,
      until: request.duration.map { end(after: $0, asking: deadline) },
      head: nil, state: .asked)
    lock.place = LockPlace(of: paths, files)
    try coordinator.publish(lock)
    return lock
  }

  /// When a lock for a time ends at the latest that is asked for until a deadline: other devices cannot see that its process is gone.
  private func end(after duration: Duration, asking deadline: Int64) -> Timestamp {
    let year: Int64 = 365 * 24 * 3600
    let patience = min((deadline - clock.monotonic()) / 1_000_000_000, year) + 60
    return now.advanced(bySeconds: patience + min(duration.components.seconds, 100 * year))
  }

  /// Records the version that the edit starts from, now that no other process of this machine has
  /// the file open.
  ///
  /// Until here the lock ends with its process, so that a command killed while it waits blocks
  /// nobody; its time counts from here.
  private func start(_ asked: StoreLock, _ request: LockRequest) throws -> StoreLock {
    // A write that had begun before the lock was asked for has ended since.
    try catchUp()
    guard try files.statusIfPresent(paths.database) != nil else { throw StoreError.missing(paths) }
    let file = try workingCopy.open()
    try file.connection.begin(.exclusive)
    try file.connection.rollback()
    try file.takeAsFound()
    let version = try workingCopy.isAsRecorded(file.signature) ? current() : nil
    if version == nil { try requireWhole() }
    var held = asked
    held.head = try version?.id ?? captureFound(reason: .external).id
    try publish()
    held.state = .held
    held.until = request.duration.map {
      now.advanced(byMilliseconds: $0.nanoseconds / 1_000_000)
    }
    if request.outlivesProcess { held.process = nil }
    guard try coordinator.update(held) else { throw try refusal(of: held) }
    return held
  }

  /// Refuses to start an edit from a torn database, for example one that a service is writing in
  /// place.
  private func requireWhole() throws {
    let live = try VersionDetector(store: self).lookAtLive(versions.listed())
    switch live {
    case .whole: return
    case .doubtful(_, let changedAt):
      let settled = changedAt.milliseconds.plus(try policy().settleTime)
      throw refusal(of: live, isAwaited: now.milliseconds < settled)
    default: throw refusal(of: live, isAwaited: false)
    }
  }

  /// Refuses a lock that somebody has ended meanwhile; of two locks at once the older holds.
  private func requireHeld(_ lock: StoreLock) throws {
    guard try coordinator.lockInSight()?.id == lock.id else { throw try refusal(of: lock) }
  }

  /// Why a requested lock was refused: another one is held, or it was ended.
  private func refusal(of lock: StoreLock) throws -> StoreError {
    let other = try coordinator.board().effective
    return other.map { $0.id == lock.id ? .lockEnded(lock, paths) : coordinator.isLocked(by: $0) }
      ?? .lockEnded(lock, paths)
  }

  /// Waits up to the deadline until all other devices have acknowledged and their writes are here.
  func waitForDevices(_ lock: StoreLock, _ deadline: Int64) throws {
    var policy = try self.policy()
    policy.graceTime = 0
    while clock.monotonic() < deadline {
      try versions.refresh()
      try reconcileAndLetGo(policy)
      guard try coordinator.board().standing.contains(where: { $0.id == lock.id }) else {
        throw try refusal(of: lock)
      }
      let report = try lockReport(lock)
      let isHeardOfAll = try coordinator.readableDevices().unread == nil
      if isHeardOfAll && report.waitingFor.isEmpty && report.newerOn.isEmpty { return }
      try pause(nanoseconds: 100_000_000)
    }
  }

  /// Which of the recently seen devices have acknowledged a lock.
  func lockReport(_ lock: StoreLock) throws -> LockReport {
    let others = try coordinator.readableDevices().records.filter { $0.id != lock.device }
    let answered = others.filter { $0.acknowledged.contains { $0.lock == lock.id } }
    let lately = others.filter(wasSeenLately)
    let silent = lately.filter { other in !answered.contains { $0.id == other.id } }
    let graph = try versions.listed().graph
    let start = lock.head ?? workingCopy.current
    let ahead = lately.filter { $0.head.map { isNewer($0, than: start, in: graph) } ?? false }
    return LockReport(
      lock: lock, acknowledgedBy: answered.map(summary), waitingFor: silent.map(summary),
      newerOn: ahead.map(summary))
  }

  /// Whether a device's version is one that has not arrived, or one that counts and was not made from what this device has.
  private func isNewer(
    _ head: VersionID, than start: VersionID?, in graph: VersionGraph
  ) -> Bool {
    guard let start, graph.contains(head) else { return true }
    return head != start
      && graph.effectiveHeads.contains { $0.members.contains { $0.id == head } }
  }

  /// The other devices that a lock would wait for.
  func othersSeenLately() throws -> [DeviceRecord] {
    try coordinator.deviceRecords().filter { $0.id != device.id && wasSeenLately($0) }
  }

  private func wasSeenLately(_ device: DeviceRecord) -> Bool {
    device.lastSeen >= now.advanced(bySeconds: -30 * 24 * 3600)
  }

  /// Takes over the lock of this device that waits for a person.
  func resumeLock(_ id: String, note: String?) throws -> StoreLock? {
    guard var lock = try coordinator.ownLock(), lock.id == id, lock.state == .held,
      !lock.endsWithProcess, try coordinator.isHeld(lock)
    else { return nil }
    lock.note = note ?? lock.note
    lockNews.took(lock)
    return lock
  }

  /// Lets the lock that this store has taken outlive its process, if it is still held.
  func leaveLockStanding() throws {
    guard var lock = lockNews.taken else { return }
    lock.process = nil
    _ = try coordinator.update(lock)
  }

  /// Takes away the lock of a program of this device that is gone.
  ///
  /// With `all` also locks that ran out or were ended from elsewhere; otherwise those wait for their holder's `unlock`.
  func sweepEndedLocks(all: Bool = false) throws {
    for (lock, how) in try coordinator.board().ended where lock.device == device.id {
      guard all || how == .processGone else { continue }
      try coordinator.removeLock(lock.id)
      lockNews.ended(lock)
    }
  }
}
