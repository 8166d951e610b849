import OpenWOHistory

/// What keeps a store from being up to date, by one look at the folder.
struct OutcomeJudge {
  let seen: Sighting
  let copies: CopyLedger
  let paths: StorePaths

  /// How a sync ended whose last look this was, with the steps that wait.
  func outcome(waits: [Action]) -> SyncOutcome {
    if let proof = SyncOutcome.Proof(seen, waits: waits) { return .upToDate(proof) }
    return .unsettled(first(waits: waits))
  }

  /// Why a store is not settled: first what keeps openwo from looking, then what it waits for.
  private func first(waits: [Action]) -> StoreError {
    if let liveObstacle { return liveObstacle }
    if waits.isEmpty, let copyForPerson { return copyForPerson }
    if let lock = seen.lock, case .unreadable(.sharedLock) = seen.live {
      return .sharesFile(lock.lock, paths)
    }
    if let lock = seen.lock { return .waitsForUnlock(lock.lock, isOurs: lock.isOurs, paths) }
    for case .wait(_, let reason) in waits { return .waits(reason, paths) }
    return switch seen.live {
    case .missing: StoreError.missing(paths)
    case .doubtful(let why, _): .damaged(why, paths)
    case .writeAheadLog: .openInWAL(paths)
    case .whole where seen.graph.effectiveHeads.count > 1:
      unread ?? .waits("several versions have to become one, and none was chosen", paths)
    case .whole, .changing, .unreadable: unread ?? .busy(paths)
    }
  }

  /// The error about a file that cannot be read although the live file can; nil if there is none.
  var unread: StoreError? {
    if seen.hasUnreadVersions { return .waits("a version cannot be read just now", paths) }
    if let version = seen.unarrived.first { return .unarrived(version, paths) }
    if seen.hasUnreadCopies { return .waits("a copy cannot be read just now", paths) }
    return copyForPerson
  }

  /// The error about a copy that is not whole, if nothing else is left to do; nil if there is none.
  private var copyForPerson: StoreError? {
    guard let copy = Planning(seen: seen, policy: Policy()).copyForPerson else { return nil }
    return .copyNotWhole(copy.file, copies.entries[copy.file]?.problem, paths)
  }

  /// The error that keeps the live file from being read; nil if it can be read.
  var liveObstacle: StoreError? {
    switch seen.live {
    case .unreadable(.busy), .changing: .busy(paths)
    case .unreadable(.unusable(let why)): .unusable(why, paths)
    case .unreadable(.interrupted): .interrupted(paths)
    case .unreadable(.ownLock), .unreadable(.sharedLock), .unreadable(.delivered), .missing, .whole,
      .doubtful, .writeAheadLog:
      nil
    }
  }
}

extension OutcomeJudge {
  /// Takes what a look has seen.
  init(_ seen: Sighting, in store: Store) {
    self.init(seen: seen, copies: store.upkeep.copies, paths: store.paths)
  }
}
