import OpenWOHistory

/// How a sync ended: at rest, or why not.
extension Store {
  /// What the last look and the steps that wait come to.
  func outcome(_ seen: Sighting, waits: [Action]) -> SyncOutcome {
    if let rest = SyncOutcome.Rest(seen, waits: waits) { return .atRest(rest) }
    return .unsettled(obstacle(seen, waits: waits))
  }

  /// Why a store is not at rest; what keeps it from looking comes before what it waits for.
  private func obstacle(_ seen: Sighting, waits: [Action]) -> StoreError {
    if let obstacle = obstacle(of: seen.live) { return obstacle }
    if waits.isEmpty, let copy = copyForPerson(seen) { return copy }
    if let lock = seen.lock, case .unreadable(.sharedLock) = seen.live {
      return .sharesFile(lock.lock, paths)
    }
    if let lock = seen.lock { return .waitsForUnlock(lock.lock, isOurs: lock.isOurs, paths) }
    for case .wait(_, let reason) in waits { return .waits(reason, paths) }
    return switch seen.live {
    case .missing: StoreError.missing(paths)
    case .doubtful(let why, _): .damaged(why, paths)
    case .writeAheadLog: .openInWAL(paths)
    case .whole, .changing, .unreadable: unread(seen) ?? .busy(paths)
    }
  }

  /// What cannot be read beside a live file that can; nil if there is nothing.
  func unread(_ seen: Sighting) -> StoreError? {
    if seen.hasUnreadVersions { return .waits("a version cannot be read just now", paths) }
    if let version = seen.unarrived.first { return .unarrived(version, paths) }
    if seen.hasUnreadCopies { return .waits("a copy cannot be read just now", paths) }
    return copyForPerson(seen)
  }

  /// What is said of a copy that is not whole, while nothing else is to be done; nil if there is none.
  private func copyForPerson(_ seen: Sighting) -> StoreError? {
    guard let copy = Planning(seen: seen, policy: Policy()).copyForPerson else { return nil }
    return .copyNotWhole(copy.file, copies.entries[copy.file]?.problem, paths)
  }

  /// What keeps a live file from being looked into; nil where it can be.
  func obstacle(of live: Sighting.Live) -> StoreError? {
    switch live {
    case .unreadable(.busy), .changing: .busy(paths)
    case .unreadable(.unusable(let why)): .unusable(why, paths)
    case .unreadable(.interrupted): .interrupted(paths)
    case .unreadable(.ownLock), .unreadable(.sharedLock), .unreadable(.delivered), .missing, .whole,
      .doubtful, .writeAheadLog:
      nil
    }
  }
}
