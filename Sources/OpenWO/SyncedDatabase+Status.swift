package import OpenWOHistory

/// The status of the store, and its maintenance.
extension SyncedDatabase {
  /// The status of the store now.
  ///
  /// It changes nothing, but commits that wait for the end of a burst become a version first.
  public func status() throws -> StoreStatus {
    try core.with(.reading) { try StatusReport(store: $0).make() }
  }

  /// Every device of the store.
  public func devices() throws -> [DeviceSummary] {
    try core.with(.reading) { try $0.coordinator.deviceSummaries() }
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
    try core.with(.reading) { try ConflictCopies(store: $0).list() }
  }

  /// The sides that lost to a later writer and whose rows are not in the live version, newest first.
  ///
  /// With `markingSeen` a person is taken to have looked at them: ``StoreStatus/setAside`` does not tell them any more.
  public func setAside(markingSeen: Bool = false) throws -> [SetAside] {
    try core.with { store in
      let sides = SidesSetAside(store: store)
      let found = try sides.list(onlyUnseen: false)
      if markingSeen { sides.markSeen(found.map(\.version)) }
      return found
    }
  }

  /// Records that the user has seen a version.
  package func noteSeen(_ version: VersionID) throws {
    try core.with { SidesSetAside(store: $0).markSeen([version]) }
  }

  /// Syncs with the folder: looks, plans and acts until nothing is left to do but wait.
  ///
  /// This also happens automatically, at open, before transactions and in the background thread. A
  /// dry run only returns what would be done now.
  public func reconcile(dryRun: Bool = false) throws -> ReconcileReport {
    do {
      return try core.patiently { try Syncing(store: $0).run(dryRun: dryRun) }
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
