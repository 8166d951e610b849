/// The lock, as an action of the app or of the command.
extension SyncedDatabase {
  /// Takes the lock, so that a person can edit the file with any program.
  ///
  /// This app does not touch the file until `unlock`. While this waits, the app can read and look.
  ///
  /// - Throws: ``StoreError`` with `locked` if somebody else holds it, `lockLost` if somebody ended
  ///   it while it waited, `busy` if a program of this machine keeps the file, `unavailable` if the
  ///   store was closed while it waited.
  public func lock(_ request: LockRequest = LockRequest()) throws -> LockReport {
    try core.lock(request)
  }

  /// The same without blocking the caller's executor; if the task is cancelled while it waits, the lock is taken back.
  public func lock(note: String?, waitingUpTo: Duration? = nil) async throws -> LockReport {
    try await core.offCaller {
      try $0.lock(LockRequest(note: note, waitingUpTo: waitingUpTo))
    }
  }

  /// Ends the lock: checks the file, captures the edit as one version, and returns what changed.
  ///
  /// If this handle has taken a lock, that lock ends and no later one; otherwise the lock of this
  /// device ends.
  ///
  /// - Throws: ``StoreError`` with `notYourLock`, `lockLost`, `locked`, `busy`, `damaged`,
  ///   `brokenReferences`. The lock and the edit are kept unless it is `lockLost`.
  public func unlock(_ request: UnlockRequest = UnlockRequest()) throws -> UnlockReport {
    try core.patiently { try Unlocking(store: $0, request: request).run() }
  }

  /// The same without blocking the caller's executor.
  public func unlock(discard: Bool) async throws -> UnlockReport {
    try await core.offCaller {
      try $0.patiently { try Unlocking(store: $0, request: UnlockRequest(discard: discard)).run() }
    }
  }

  /// Lets the lock that this handle has taken outlive the process; a person has to end it.
  package func leaveLockStanding() throws {
    try core.with { try Locking(store: $0).leaveToPerson() }
  }

  /// Takes over a lock of this device that outlives its process; this handle can then end it as its
  /// own.
  ///
  /// - Returns: The lock; nil if another lock is held, or one that ends with a program.
  package func resumeLock(_ id: String, note: String? = nil) throws -> StoreLock? {
    try core.with { try Locking(store: $0, request: LockRequest(note: note)).resume(id) }
  }

  /// Which devices have seen the active lock and which have not; nil if nobody holds one.
  public func lockReport() throws -> LockReport? {
    try core.with(.reading) { store in
      try store.coordinator.lockInSight().map { try LockReport($0, in: store) }
    }
  }
}
