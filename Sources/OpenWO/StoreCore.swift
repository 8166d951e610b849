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
  }

  let events = EventHub()
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
        return try body(&guarded)
      } catch {
        let error = StoreError.of(error, paths)
        if let error = error as? StoreError { guarded.store.lastError = error.code }
        throw error
      }
    }
  }

  func read<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    try with { store in
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
    try with { store in
      let transaction = try store.beginWriting()
      defer { store.endWriting() }
      let result: Result
      do {
        result = try lend(transaction.connection, body)
      } catch {
        try? transaction.connection.rollback()
        throw error
      }
      try store.commit(transaction, reason: reason)
      return result
    }
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
      try guarded.store.flush()
    }
  }

  /// Publishes pending versions if possible; there is nobody left to report a failure to.
  func finish() {
    try? close()
    events.finish()
  }
}
