import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Looks at the live file while somebody has the lock: read-only, and it is closed at once.
extension Store {
  /// The state of the live file, whoever has the lock; for use in a look.
  func liveUnderLock() throws -> Sighting.Live {
    try VersionDetector(store: self).lookAtLive(versions.listed())
  }

  /// Why there is not a whole database under a lock; nil if there is one, or nobody can tell now.
  ///
  /// A file under another device's lock may be its half of an edit: only a missing one says something.
  func trouble(under lock: Sighting.LockInSight) throws -> StoreError? {
    guard lock.isOurs else {
      let isThere = try files.statusIfPresent(paths.database) != nil
      return isThere ? nil : .missing(under: lock.lock, isOurs: false, paths)
    }
    return try looking {
      switch try liveUnderLock() {
      case .missing: .missing(under: lock.lock, isOurs: true, paths)
      case .doubtful(let why, _): .damaged(why, under: lock.lock, isOurs: true, paths)
      case .unreadable(.unusable(let why)): .unusable(why, paths)
      case .whole(let content, _): try brokenReferences(under: lock.lock, content)
      default: nil
      }
    }
  }

  /// The error that the edit under this device's lock leaves rows that point at nothing, so that
  /// `unlock` will refuse it; nil if it does not.
  func brokenReferences(under lock: StoreLock, _ content: ContentHash?) throws -> StoreError? {
    let start = try start(of: lock)
    guard lock.device == device.id, content == nil || content != start?.content else { return nil }
    do {
      _ = try workingCopy.open()
      try checkReferences(since: start)
    } catch let error as StoreError where error.code == .brokenReferences {
      return error
    } catch {}
    return nil
  }

  /// Refuses an edit after which more rows point at nothing than before.
  func checkReferences(since start: Version?) throws {
    let broken = try workingCopy.file?.connection.foreignKeyViolations(limit: 1000) ?? []
    guard !broken.isEmpty else { return }
    let before =
      try start.flatMap { version in
        try versions.isRestorable(version.content)
          ? versions.privateCopy(of: version.content).foreignKeyViolations(limit: 1000) : nil
      } ?? []
    let count = broken.count - before.count
    guard count > 0 else { return }
    let known = Set(before)
    let first = broken.first { !known.contains($0) } ?? broken[0]
    throw StoreError.brokenReferences(first, count: count, paths)
  }
}

extension StoreError {
  /// The database is missing while somebody has the lock.
  static func missing(under lock: StoreLock, isOurs: Bool, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) is missing while \(isOurs ? "it is" : "\(lock.holder) has it") "
        + "locked; the versions are safe",
      advice: lock.wayBack(isOurs: isOurs, paths), remedies: lock.waysBack(isOurs: isOurs),
      lock: lock)
  }

  /// The database is damaged while somebody has the lock.
  static func damaged(
    _ why: String, under lock: StoreLock, isOurs: Bool, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .damaged,
      "\(paths.name) is damaged (\(why)) while "
        + "\(isOurs ? "it is" : "\(lock.holder) has it") locked; the versions before are safe",
      advice: lock.wayBack(isOurs: isOurs, paths), remedies: lock.waysBack(isOurs: isOurs),
      lock: lock)
  }
}

extension StoreLock {
  /// How to come back to a whole database.
  fileprivate func wayBack(isOurs: Bool, _ paths: StorePaths) -> Advice {
    guard isOurs, !endsWithProcess else { return ending(isOurs: isOurs, paths) }
    return paths.next("to go back to the state before the lock", .discardEdit)
  }

  fileprivate func waysBack(isOurs: Bool) -> [Remedy] {
    isOurs && !endsWithProcess ? [.discardEdit] : remedies(isOurs: isOurs)
  }
}
