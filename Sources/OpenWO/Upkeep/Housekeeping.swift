import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// What is done in the background, and before the end.
struct Housekeeping: StorePart {
  let store: Store

  /// How long the live file stays open without use, in nanoseconds; a waiting `lock` gets it then
  /// at the latest.
  private static var idleTime: Int64 { 500_000_000 }

  /// Background maintenance: yields to locks, sends events, publishes pending versions, imports
  /// arrivals.
  ///
  /// Returns the delay in milliseconds until the next call at the latest; nil to wait for a change
  /// of the folder.
  func tick(folderChanged: Bool) throws -> Int? {
    try EndedLocks(store: store).sweep()
    if let lock = try session.lockToMakeWayFor() {
      try session.makeWay()
      let isNew = store.lockNews.seen?.id != lock.id
      // A look that has to wait, or fails, is tried again though the lock is not new any more.
      if isNew { store.upkeep.nextLook = now }
      store.lockNews.came(lock)
      // Try again if the first try failed, as the other device may wait for the answer.
      let isAnswered = try lock.device == device.id || coordinator.hasAcknowledged(lock)
      if !isAnswered || folderChanged || store.upkeep.isLookDue(at: now) {
        try SyncLoop(store: store).runAndLetGo()
      }
      // Nothing may tell of a lock that runs out or whose process ends.
      return isAnswered ? 1_000 : 200
    }
    // Arrivals under a lock are handled when it ends, which may happen without a change of any
    // file.
    if let lock = store.lockNews.seen {
      store.upkeep.nextLook = now
      store.lockNews.ended(lock)
    }
    if try publishing.isDue(versions.listed()) { try publishing.run() }
    try BurstTouch(store: store).ifDue()
    if try folderChanged && !waitingCommits.areOnlyChange() || store.upkeep.isLookDue(at: now) {
      try versions.refresh()
      try SyncLoop(store: store).run()
    }
    if workingCopy.readers.isAny { store.upkeep.lastUse = clock.monotonic() }
    if isInUse && clock.monotonic() - store.upkeep.lastUse > Self.idleTime {
      try waitingCommits.capture()
      session.letGo()
    }
    // Another process may have published what this one captured.
    if try versions.listed().pending.isEmpty { store.upkeep.publishedAll() }
    if isInUse || store.upkeep.unpublishedSince != nil || store.upkeep.needsTouch { return 200 }
    return store.upkeep.nextLook.map { Int(min(max(20, $0.milliseconds(since: now)), 3_600_000)) }
  }

  /// Whether the live file is open, or this process keeps others waiting for it.
  private var isInUse: Bool { workingCopy.isInUse || !coordinator.session.isEmpty }

  /// Captures pending commits, publishes pending versions, and closes the file.
  func flush() throws {
    try session.lettingGo {
      guard !configuration.opensAsFound else { return }
      // Also for a lock that came while the file was open: its holder waits until that is closed.
      let isCaptured = try waitingCommits.capture()
      let look = Result {
        guard try coordinator.lockInSight() == nil else { return }
        if !isCaptured { try SyncLoop(store: store).run() }
        try BurstTouch(store: store).atEnd()
      }
      // A version that another process has just captured is left to that process.
      if try store.upkeep.unpublishedSince != nil || publishing.isDue(versions.listed()) {
        try publishing.run()
      }
      try look.get()
    }
  }
}
