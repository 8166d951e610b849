/// The lock, as an action of the app or of the command.
extension SyncedDatabase {
  /// Takes the lock, so that a person can edit the file with any program: this app keeps its hands off until `unlock`.
  ///
  /// - Throws: ``StoreError`` with `locked` when somebody else holds it, `lockLost` when somebody ended it while it waited, `busy` when a
  ///   program of this machine keeps the file.
  public func lock(_ request: LockRequest = LockRequest()) throws -> LockReport {
    try core.with { try $0.lock(request) }
  }

  /// Does the same without blocking the caller's executor.
  public func lock(note: String?, waitingUpTo: Duration? = nil) async throws -> LockReport {
    try await core.offCaller {
      try $0.with { try $0.lock(LockRequest(note: note, waitingUpTo: waitingUpTo)) }
    }
  }

  /// Ends the lock: checks the file, captures the edit as one version, and says what changed.
  ///
  /// Where this handle has taken the lock it ends that one and no later one; otherwise the one that stands on this device.
  ///
  /// - Throws: ``StoreError`` with `notYourLock`, `lockLost`, `locked`, `busy`, `damaged`, `brokenReferences`; the lock and the edit stand unless
  ///   it is `lockLost`.
  public func unlock(_ request: UnlockRequest = UnlockRequest()) throws -> UnlockReport {
    try core.with { try $0.unlock(request) }
  }

  /// Does the same without blocking the caller's executor.
  public func unlock(discard: Bool) async throws -> UnlockReport {
    try await core.offCaller { try $0.with { try $0.unlock(UnlockRequest(discard: discard)) } }
  }

  /// Lets the lock that this handle has taken stand after the process: what it could not end a person has to.
  package func leaveLockStanding() throws {
    try core.with { try $0.leaveLockStanding() }
  }

  /// Goes on in the lock of this device that outlives its process; this handle ends it then, as if it had taken it.
  ///
  /// - Returns: The lock; nil if another one stands, or one that ends with a program.
  package func resumeLock(_ id: String, note: String? = nil) throws -> StoreLock? {
    try core.with { try $0.resumeLock(id, note: note) }
  }

  /// Who has seen the standing lock and who has not; nil when nobody holds one.
  public func lockReport() throws -> LockReport? {
    try core.with { store in
      try store.coordinator.lockInSight().map { try store.lockReport($0) }
    }
  }
}
