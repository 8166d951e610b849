/// The status of the store, and its maintenance.
extension SyncedDatabase {
  /// The status of the store now.
  ///
  /// It changes nothing, but commits that wait for the end of a burst become a version first.
  public func status() throws -> StoreStatus {
    try core.with(.reading) { try $0.status() }
  }

  /// Every device of the store.
  public func devices() throws -> [DeviceSummary] {
    try core.with(.reading) { try $0.coordinator.readableDevices().records.map($0.summary) }
  }

  /// Forgets a device that is gone for good: its device file is removed, and nobody waits for it
  /// any more.
  ///
  /// Its versions stay. This device takes over those of its records that still count. If it comes
  /// back, it is listed again.
  ///
  /// - Throws: ``StoreError`` with `usage` if there is no such device, and `locked` if it has the lock.
  @discardableResult
  public func forget(device id: String, dryRun: Bool = false) throws -> DeviceSummary {
    try core.with { try Forgetting(store: $0).run(device: id, dryRun: dryRun) }
  }

  /// The files that sync services have made beside the database.
  public func conflictedCopies() throws -> [ConflictedCopy] {
    try core.with(.reading) { try $0.conflictedCopies() }
  }

  /// Syncs with the folder: looks, plans and acts until nothing is left to do but wait.
  ///
  /// This also happens automatically, at open, before transactions and in the background thread. A
  /// dry run only returns what would be done now.
  public func reconcile(dryRun: Bool = false) throws -> ReconcileReport {
    do {
      return try core.patiently { try $0.reconcileReport(dryRun: dryRun) }
    } catch {
      // The background thread repeats what failed here.
      if !dryRun { monitor?.hint() }
      throw error
    }
  }

  /// Tells the store that the app came to the foreground: it looks at the folder at once, and says how
  /// that ended.
  @discardableResult
  public func didBecomeActive() throws -> ReconcileReport {
    core.folder.resume()
    return try reconcile()
  }
}
