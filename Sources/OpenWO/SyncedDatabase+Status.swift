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

  /// Forgets a device that is gone for good: its file is removed, and nobody waits for it any more.
  ///
  /// Its versions stay. What it said that still counts is said by this device from now on. If it comes back, it shows itself again.
  ///
  /// - Throws: ``StoreError`` with `usage` if there is no such device, and `locked` if it has the lock.
  @discardableResult
  public func forget(device id: String, dryRun: Bool = false) throws -> DeviceSummary {
    try core.with { try $0.forget(device: id, dryRun: dryRun) }
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
