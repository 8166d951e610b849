package import OpenWOHistory

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
}

extension SyncedDatabase {
  /// What the store knows about its syncing.
  package func syncFacts() throws -> SyncFacts {
    try core.with { store in
      let listing = try store.versions.listed()
      return SyncFacts(
        live: store.workingCopy.current,
        waiting: listing.pending.count + (store.workingCopy.uncaptured.areAny ? 1 : 0),
        lastLocalSaveAt: store.lastSave(listing.graph),
        devices: try store.coordinator.readableDevices().records.map(store.summary),
        lock: try? store.coordinator.lockInSight())
    }
  }
}
