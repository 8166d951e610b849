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
  }

  let events = EventHub()
  let changes = ChangeHub()
  let paths: StorePaths
  let files: FileSystem
  let storeID: String
  private let guarded: Mutex<Guarded>
  /// Runs the `async` calls, so that the caller's executor does not wait for a file.
  private let queue = DispatchQueue(label: "openwo", attributes: .concurrent)

  /// The thread that runs a closure of the app, so that a nested call is refused instead of waiting
  /// for ever; 0: none.
  private let inside = Atomic<UInt>(0)

  init(_ path: FilePath, _ configuration: Configuration) throws {
    let store = try Store.open(path, configuration, events)
    paths = store.paths
    files = store.files
    storeID = store.manifest.store
    guarded = Mutex(Guarded(store: store))
  }

  /// Runs a body on the store and turns errors of lower layers into a ``StoreError``.
  func with<Result: Sendable>(_ body: (Store) throws -> Result) throws -> Result {
    try withGuarded { try body($0.store) }
  }

  private func withGuarded<Result: Sendable>(
    _ body: (inout Guarded) throws -> Result
  ) throws -> Result {
    guard inside.load(ordering: .relaxed) != OwnProcess.thread else {
      throw StoreError.nested(paths)
    }
    return try guarded.withLock { guarded in
      // Capture pending commits, as nobody else does.
      defer { if guarded.isClosed { try? guarded.store.makeWay() } }
      do {
        let result = try body(&guarded)
        tellContent(&guarded)
        changes.sendUsable()
        return result
      } catch {
        tellContent(&guarded)
        let error = StoreError.of(error, paths)
        if let error = error as? StoreError { guarded.store.lastError = error.code }
        throw error
      }
    }
  }

  func read<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    try with { try read($0, body) }
  }

  /// Reads, and learns from which tables.
  ///
  /// `whenBegun` is called when the content that is read cannot change any more.
  func readLearning<Result: Sendable>(
    _ body: (Connection) throws -> Result, whenBegun: () -> Void
  ) throws -> (Result, TableSet) {
    try withGuarded { guarded in
      var tables = TableSet.everything
      let result = try read(guarded.store) { connection in
        tellContent(&guarded)
        whenBegun()
        let learnt = try connection.learningTables { try body(connection) }
        tables = learnt.tables.read
        return learnt.result
      }
      return (result, tables)
    }
  }

  private func read<Result: Sendable>(
    _ store: Store, _ body: (Connection) throws -> Result
  ) throws -> Result {
    let connection = try store.connectionForReading()
    defer { store.doneReading(connection) }
    try connection.begin(.deferred)
    do {
      let result = try lend(connection, body)
      guard !connection.isWriting else { throw StoreError.wroteInRead(paths) }
      try connection.commit()
      return result
    } catch {
      try? connection.rollback()
      throw error
    }
  }

  /// Tells observers of a content that came since they were told last, whoever made it.
  private func tellContent(_ guarded: inout Guarded) {
    guard let content = guarded.store.record?.content, content != guarded.told else { return }
    guarded.told = content
    changes.send(.everything)
  }

  /// Lets an app's closure work in the open transaction, which it cannot end.
  private func lend<Result: Sendable>(
    _ connection: Connection, _ body: (Connection) throws -> Result
  ) throws -> Result {
    do {
      return try connection.lendingTransaction {
        inside.store(OwnProcess.thread, ordering: .relaxed)
        defer { inside.store(0, ordering: .relaxed) }
        return try body(connection)
      }
    } catch is TransactionEnded {
      throw StoreError.endedInside(paths)
    }
  }

  func write<Result: Sendable>(
    reason: VersionReason, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try withGuarded { guarded in
      let store = guarded.store
      let transaction = try store.beginWriting()
      defer { store.endWriting() }
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
      try store.commit(transaction, reason: reason)
      // Otherwise other rows came into the file together with these.
      if store.live?.connection === transaction.connection {
        guarded.told = store.record?.content ?? guarded.told
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

  /// Runs a body on our own thread and passes its result to the caller's task.
  func offCaller<Result: Sendable>(
    _ body: @escaping @Sendable (StoreCore) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Swift.Result { try body(self) })
      }
    }
  }

  /// Reconciles after opening, and migrates the schema.
  func prepare() throws {
    try with { try $0.prepare() }
  }

  func close() throws {
    try withGuarded { guarded in
      guarded.isClosed = true
      defer { changes.finish() }
      try guarded.store.flush()
    }
  }

  /// Publishes pending versions if possible; there is nobody left to report a failure to.
  func finish() {
    try? close()
    changes.finish()
    events.finish()
  }
}
