extension SyncState {
  /// Whether other devices may have something newer: while syncing, and without a network.
  public var mayBeStale: Bool { status == .syncing || network == .offline }
}
