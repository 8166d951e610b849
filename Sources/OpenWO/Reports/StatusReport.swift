import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Making the status of a store; it changes no database.
struct StatusReport: StorePart {
  let store: Store

  func make() throws -> StoreStatus {
    let seen = try session.looking {
      try versions.refresh()
      return try VersionDetector(store: store).look()
    }
    let listing = try versions.listed()
    let planning = Planning(seen: seen, policy: try rules.policy())
    let judge = OutcomeJudge(seen, in: store)
    let trouble =
      try seen.lock.flatMap { try LockedEdit($0.lock, in: store).trouble() }
      ?? judge.liveObstacle ?? judge.unread ?? awaited(planning)
    let waiting = planning.waitingCopies
    return StoreStatus(
      state: state(planning),
      device: try coordinator.ownSummary(head: workingCopy.current),
      head: listing.graph.newestHead?.id,
      content: content(seen), lock: seen.lock?.lock, conflicts: waiting.map(\.file.description),
      devices: try coordinator.deviceSummaries(), availability: .available, network: .unknown,
      joined: listing.graph.newestHead.flatMap {
        JoinNews(store: store).last(listing.graph, behind: $0.id)?.id
      },
      lastLocalSaveAt: listing.graph.lastSave(of: device.id, now: now),
      lastCheckedAt: now, lastError: store.upkeep.lastError?.description,
      obstacle: trouble.map {
        StoreStatus.Obstacle(
          error: $0.code.description, message: $0.message, remedies: $0.remedies,
          advice: $0.advice)
      },
      vanished: seen.vanished?.versions ?? [], putBack: listing.putBack,
      quarantined: (try? quarantine.list().filter { !$0.isSeen }) ?? [],
      setAside: try SidesSetAside(store: store).list(onlyUnseen: true),
      unpublished: listing.pending.count)
  }

  private func state(_ planning: Planning) -> StoreStatus.State {
    let seen = planning.seen
    if seen.lock != nil { return .locked }
    switch seen.live {
    case .missing: return .missing
    case .doubtful: return .damaged
    case .unreadable(.unusable): return .unavailable
    case .unreadable, .changing, .writeAheadLog: return .edited
    case .whole(let content, _):
      if planning.heads.count > 1 || !planning.waitingCopies.isEmpty { return .conflict }
      if planning.heads.first?.version.content != content || seen.vanished != nil { return .edited }
      // One judge for all who say "up to date".
      return SyncOutcome.Proof(seen, waits: []) == nil ? .unavailable : .synced
    }
  }

  /// The reason why the next step waits while there are several heads; nil if it need not wait.
  private func awaited(_ planning: Planning) -> StoreError? {
    guard planning.seen.lock == nil, planning.heads.count > 1 else { return nil }
    let plan = Reconciler(policy: planning.policy).plan(planning.seen)
    for case .wait(_, let reason) in plan.prefix(1) { return .waits(reason, paths) }
    return nil
  }

  private func content(_ seen: Sighting) -> ContentHash? {
    if case .whole(let content, _) = seen.live { return content }
    return seen.lock == nil ? nil : workingCopy.content
  }
}
