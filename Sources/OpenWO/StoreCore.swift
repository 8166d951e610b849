import Dispatch
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import Synchronization
import SystemPackage

/// The store behind its mutex, shared by all threads of a process.
final class StoreCore: Sendable {
  struct Guarded {
    let store: Store
    /// Whether the store is closed, so that no background thread closes the file.
    var isClosed = false
    /// The content that observers were told of last.
    var told: ContentHash?
    /// How the last look had ended when the app was told.
    var toldOutcome: SyncOutcome?
    /// The locks that were asked for and are not held yet.
    var asked: Set<String> = []
  }

  let events = EventHub()
  let changes = ChangeHub()
  let outcomeChanged = Mutex<(@Sendable () -> Void)?>(nil)
  let paths: StorePaths
  let files: FileSystem
  let storeID: String
  let clock: any StoreClock
  let folder: FolderCoordination
  let readers: Readers
  private let guarded: Mutex<Guarded>
  /// Runs the `async` calls, so that the caller's executor does not wait for a file.
  private let queue = DispatchQueue(label: "openwo", attributes: .concurrent)

  /// The threads that run a closure of the app, so that a nested call is refused instead of waiting
  /// for ever.
  private let inside = Mutex<Set<UInt>>([])

  init(_ path: FilePath, _ configuration: Configuration) throws {
    let found = try StorePaths.resolve(path, configuration)
    let folder = FolderCoordination(found, configuration)
    let store = try folder.access(.reading) { [events] in
      try Store.open(found, configuration, events)
    }
    self.folder = folder
    store.folder = folder
    paths = store.paths
    files = store.files
    readers = store.workingCopy.readers
    storeID = store.manifest.store
    clock = configuration.clock
    guarded = Mutex(Guarded(store: store))
  }

  /// Runs a body on the store and turns errors of lower layers into a ``StoreError``.
  ///
  /// It holds the store while it waits; ``patiently(_:)`` does not.
  func with<Result: Sendable>(
    _ access: FolderAccess = .writing, _ body: (Store) throws -> Result
  ) throws -> Result {
    try withGuarded(access) { try body($0.store) }
  }

  private func withGuarded<Result: Sendable>(
    _ access: FolderAccess = .writing, _ body: (inout Guarded) throws -> Result
  ) throws -> Result {
    var call = StoreCall()
    call.access = access
    return try withGuarded(&call, body)
  }

  /// Runs one try of a call.
  ///
  /// - Throws: `NotYet` if the call has to wait and may begin again.
  func withGuarded<Result: Sendable>(
    _ call: inout StoreCall, _ body: (inout Guarded) throws -> Result
  ) throws -> Result {
    try refuseInside()
    // The service is asked first, so that nothing holds the store while another program has its turn.
    return try folder.access(call.access) { try take(&call, body) }
  }

  /// Refuses a call of a closure that the app runs inside the store.
  private func refuseInside() throws {
    guard !inside.withLock({ $0.contains(OwnProcess.thread) }) else {
      throw StoreError.nested(paths)
    }
  }

  private func take<Result: Sendable>(
    _ call: inout StoreCall, _ body: (inout Guarded) throws -> Result
  ) throws -> Result {
    try guarded.withLock { guarded in
      guard call.isFirstTry || !guarded.isClosed else { throw StoreError.closedMeanwhile(paths) }
      guarded.store.call = call
      // Capture pending commits, as nobody else does.
      defer {
        if guarded.isClosed { try? guarded.store.session.makeWay() }
        tellOutcome(&guarded)
      }
      do {
        let result = try body(&guarded)
        tellContent(&guarded)
        changes.sendUsable()
        return result
      } catch let wait as NotYet {
        tellContent(&guarded)
        call = guarded.store.call
        call.isFirstTry = false
        throw wait
      } catch {
        tellContent(&guarded)
        let error = StoreError.of(error, paths)
        if let error = error as? StoreError { guarded.store.upkeep.lastError = error.code }
        throw error
      }
    }
  }

  /// Tells observers of a content that came since they were told last, whoever made it.
  func tellContent(_ guarded: inout Guarded) {
    guard let content = guarded.store.workingCopy.content, content != guarded.told else { return }
    guarded.told = content
    changes.send(.everything)
  }

  /// Tells the app that a look ended otherwise than the one before.
  private func tellOutcome(_ guarded: inout Guarded) {
    guard guarded.toldOutcome != guarded.store.upkeep.outcome else { return }
    guarded.toldOutcome = guarded.store.upkeep.outcome
    outcomeChanged.withLock { $0 }?()
  }

  /// Lets an app's closure work in the open transaction, which it cannot end.
  func lend<Result: Sendable>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try connection.lendingTransaction {
        let thread = OwnProcess.thread
        inside.withLock { _ = $0.insert(thread) }
        defer { inside.withLock { _ = $0.remove(thread) } }
        return try body(connection)
      }
    } catch is TransactionEnded {
      throw StoreError.endedInside(paths)
    }
  }

  func write<Result: Sendable>(
    reason: VersionReason, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try patientlyGuarded { guarded in
      let store = guarded.store
      let writing = WritePath(store: store)
      let transaction = try writing.begin()
      defer { writing.end() }
      tellContent(&guarded)
      let (result, tables): (Result, TableSet)
      do {
        (result, tables) = try lend(transaction.connection) { try learning(in: $0, body) }
      } catch {
        try? transaction.connection.rollback()
        throw error
      }
      // Even a commit that throws may be in the file.
      defer { changes.send(tables) }
      try writing.commit(transaction, reason: reason)
      // Otherwise other rows came into the file together with these.
      if store.workingCopy.file?.connection === transaction.connection {
        guarded.told = store.workingCopy.content ?? guarded.told
      }
      return result
    }
  }

  /// Runs an app's closure and learns which tables it writes, if anybody observes some.
  private func learning<Result>(
    in connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> (Result, TableSet) {
    // An observer that comes meanwhile waits for its turn, and reads what is written here.
    guard changes.hasObservers else { return (try body(connection), .everything) }
    let learnt = try connection.learningTables { try body(connection) }
    return (learnt.result, learnt.tables.written)
  }

  /// Runs a body on our own thread and passes its result to the caller's task, whose end ends a wait.
  func offCaller<Result: Sendable>(
    _ body: @escaping @Sendable (StoreCore) throws -> Result
  ) async throws -> Result {
    let sign = StopSign()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result { try Self.$cancellation.withValue(sign) { try body(self) } })
        }
      }
    } onCancel: {
      sign.stop()
    }
  }

  /// Reconciles after opening, and migrates the schema.
  func prepare() throws {
    try with { try Preparing(store: $0).run() }
  }

  func close() throws {
    try refuseInside()
    defer {
      changes.finish()
      folder.stop()
    }
    try closing(forGood: true) { guarded in
      // The process may end before the call that asked for it.
      for lock in guarded.asked { try? guarded.store.coordinator.removeLock(lock) }
      guarded.asked = []
      try guarded.store.housekeeping.flush()
    }
    try awaitReaders()
  }

  /// Waits for the reads that were there when the file was closed, each of which closes it at its end.
  private func awaitReaders() throws {
    let (begun, generation) = (clock.monotonic(), readers.generation)
    while readers.isAny(olderThan: generation) {
      let waited = clock.monotonic() - begun
      guard waited < FileCoordinator.patience.nanoseconds else { throw StoreError.readHere(paths) }
      clock.sleep(nanoseconds: OSLock.pause(after: waited))
    }
  }

  /// Publishes what is pending and closes the file; nobody waits for this process afterwards.
  func pause() throws {
    try refuseInside()
    defer { folder.pause() }
    try closing { try $0.store.housekeeping.flush() }
    try awaitReaders()
  }

  /// Runs a body that closes the file, which is closed also if the folder's service does not let it run.
  private func closing(
    forGood: Bool = false, _ body: (inout Guarded) throws -> Void
  ) throws {
    defer {
      guarded.withLock { guarded in
        guarded.isClosed = guarded.isClosed || forGood
        guarded.store.session.letGo()
      }
    }
    try withGuarded(.writing) { guarded in
      guarded.isClosed = guarded.isClosed || forGood
      try body(&guarded)
    }
  }

  /// Listens to the service of the folder; a change is a hint for the background thread.
  func present(whenChanged changed: @escaping @Sendable () -> Void) {
    folder.present(FolderEvents(changed: changed) { [weak self] in self?.yield() })
  }

  /// Closes the file for another program that is about to use it; the next call opens it again.
  ///
  /// The other program waits for the answer, so it is not asked for the folder here. It gets it when the
  /// reads that still run have ended, or take too long.
  private func yield() {
    // What could not be captured is still in the file, and the next look finds it.
    guarded.withLock { try? $0.store.session.makeWay() }
    try? awaitReaders()
  }

  /// Publishes pending versions if possible; there is nobody left to report a failure to.
  func finish() {
    try? close()
    changes.finish()
    events.finish()
  }
}
