/// What can be said of the store, and putting it in order.
extension SyncedDatabase {
  /// All that can be said of the store now; changes nothing.
  public func status() throws -> StoreStatus {
    try core.with { try $0.status() }
  }

  /// Every device of the store.
  public func devices() throws -> [DeviceSummary] {
    try core.with { try $0.coordinator.readableDevices().records.map($0.summary) }
  }

  /// The files that sync services have set beside the database.
  public func conflictedCopies() throws -> [ConflictedCopy] {
    try core.with { try $0.conflictedCopies() }
  }

  /// Looks at the folder and brings the store to rest; called by itself at open, before transactions and by the background thread.
  ///
  /// A dry run only says what would be done now.
  public func reconcile(dryRun: Bool = false) throws -> ReconcileReport {
    try core.with { try $0.reconcileReport(dryRun: dryRun) }
  }

  /// Tells the store that the app came to the foreground: looks at the folder at once.
  public func didBecomeActive() throws {
    _ = try reconcile()
  }
}
