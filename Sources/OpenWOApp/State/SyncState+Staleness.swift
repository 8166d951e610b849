extension SyncState {
  /// Whether other devices may have something newer: while syncing, and without a network.
  public var mayBeStale: Bool { staleness != nil }

  /// The text about data that may be stale; nil if it is not.
  public var staleness: SyncText? {
    if network == .offline { return .mayBeStaleOffline }
    return status == .syncing ? .mayBeStale : nil
  }
}
