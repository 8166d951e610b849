import OpenWOFiles
public import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The status of a store; it changes no database.
extension Store {
  func status() throws -> StoreStatus {
    let seen = try looking {
      try versions.refresh()
      return try VersionDetector(store: self).look()
    }
    let listing = try versions.listed()
    let planning = Planning(seen: seen, policy: try policy())
    let trouble =
      try seen.lock.flatMap { try LockedEdit($0.lock, in: self).trouble() }
      ?? obstacle(of: seen.live) ?? unread(seen) ?? awaited(planning)
    let devices = try coordinator.readableDevices().records.map(summary)
    let waiting = planning.waitingCopies
    return StoreStatus(
      state: state(planning), device: try ownSummary(),
      head: listing.graph.newestHead?.id,
      content: content(seen), lock: seen.lock?.lock, conflicts: waiting.map(\.file.description),
      devices: devices, availability: .available, network: .unknown,
      joined: listing.graph.newestHead.flatMap { lastJoin(listing.graph, $0.id)?.id },
      lastLocalSaveAt: lastSave(listing.graph),
      lastCheckedAt: now, lastError: upkeep.lastError?.description,
      obstacle: trouble.map {
        StoreStatus.Obstacle(
          error: $0.code.description, message: $0.message, remedies: $0.remedies,
          advice: $0.advice)
      },
      vanished: seen.vanished?.versions ?? [], putBack: listing.putBack,
      quarantined: (try? quarantine.list().filter { !$0.isSeen }) ?? [],
      setAside: try setAside(onlyUnseen: true), unpublished: listing.pending.count)
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

  /// When this device last saved: a time to come counts only if nothing was saved since the clock was set right.
  func lastSave(_ graph: VersionGraph) -> Timestamp? {
    let own = graph.versions.filter { $0.device == device.id }
    guard let last = own.max(by: { $0.madeAt < $1.madeAt }), last.madeAt > now else {
      return own.map(\.madeAt).max()
    }
    let since = own.filter { $0.madeAt <= now && graph.isAncestor(last.id, of: $0.id) }
    return since.map(\.madeAt).max() ?? last.madeAt
  }

  private func content(_ seen: Sighting) -> ContentHash? {
    if case .whole(let content, _) = seen.live { return content }
    return seen.lock == nil ? nil : workingCopy.content
  }

  func summary(_ record: DeviceRecord) -> DeviceSummary {
    DeviceSummary(
      id: record.id, name: record.name, head: record.head, headSince: record.headSince,
      lastSeen: record.lastSeen, isThisDevice: record.id == device.id)
  }

  func ownSummary() throws -> DeviceSummary {
    let own = try coordinator.readableDevices().records.first { $0.id == device.id }
    return own.map(summary)
      ?? DeviceSummary(
        id: device.id, name: device.name, head: workingCopy.current, headSince: nil, lastSeen: now,
        isThisDevice: true)
  }
}

extension Version {
  /// When it was made, without the counter.
  public var madeAt: Timestamp { Timestamp(milliseconds: at.milliseconds) }
}
