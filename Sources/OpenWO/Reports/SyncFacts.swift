package import OpenWOHistory
import Synchronization

/// What a store knows about its syncing without looking at the folder.
package struct SyncFacts: Sendable, Hashable {
  /// The version that is live.
  package var live: VersionID?
  /// How many captured versions wait to be published.
  package var waiting: Int
  /// When this device last saved something.
  package var lastLocalSaveAt: Timestamp?
  /// Every device of the store.
  package var devices: [DeviceSummary]
  /// The lock that somebody has or asks for.
  package var lock: StoreLock?
  /// How the last look at the folder ended; nil if none has come to its end.
  package var outcome: SyncOutcome?

  /// Whether nothing waits here, and the last look proved that nothing waits in the folder.
  package var isUpToDate: Bool { waiting == 0 && outcome?.isUpToDate == true }
}

extension SyncedDatabase {
  /// What the store knows about its syncing.
  package func syncFacts() throws -> SyncFacts {
    try core.with { store in
      let listing = try store.versions.listed()
      return SyncFacts(
        live: store.workingCopy.current,
        waiting: listing.pending.count + (store.workingCopy.hasUncaptured ? 1 : 0),
        lastLocalSaveAt: listing.graph.lastSave(of: store.device.id, now: store.now),
        devices: try store.coordinator.deviceSummaries(),
        lock: try? store.coordinator.lockInSight(), outcome: store.upkeep.outcome)
    }
  }

  /// Sets what is called after each call or look that ended otherwise than the one before; it must not
  /// call the store.
  package func onOutcome(_ body: @escaping @Sendable () -> Void) {
    core.outcomeChanged.withLock { $0 = body }
  }
}
