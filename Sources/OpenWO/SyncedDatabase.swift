import OpenWOFiles
@_exported public import OpenWOHistory
@_exported public import OpenWOSQLite
import Synchronization
public import SystemPackage

/// One SQLite database in a folder that a service keeps in step, safe to read and write.
///
/// ```swift
/// let store = try SyncedDatabase(path: "Training/openwo.sqlite")
/// let names = try store.read { db in try db.rows("SELECT name FROM exercise") { try $0.get(0) as String } }
/// try store.write { db in try db.execute("INSERT INTO session (day) VALUES (?)", "2026-11-21") }
/// ```
///
/// Calls may come from any thread; in one process they take turns. While somebody holds the lock, writes throw `locked` and reads see the last
/// content before it.
public final class SyncedDatabase: Sendable {
  let core: StoreCore
  private let monitor: Monitor?

  /// Opens the store of a database.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - configuration: How this device opens it.
  /// - Throws: ``StoreError`` with `noStore`, `newerFormat`, `newerSchema`, `otherStore`, `notPermitted` or `unavailable`.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(at: FilePath(path), configuration: configuration)
  }

  /// Opens the store of a database whose path need not be text.
  package convenience init(at path: FilePath, configuration: Configuration) throws {
    try self.init(at: path, configuration) { _ in }
  }

  private init(
    at path: FilePath, _ configuration: Configuration, beforeStart: (SyncedDatabase) -> Void
  ) throws {
    core = try StoreCore(path, configuration)
    monitor =
      configuration.monitors
      ? try Monitor(core, pollInterval: configuration.pollInterval) : nil
    beforeStart(self)
    try core.prepare()
    monitor?.start()
  }

  /// Opens the store and hands out its events from the very first on.
  package static func listening(
    at path: FilePath, configuration: Configuration
  ) throws -> (SyncedDatabase, AsyncStream<StoreEvent>) {
    var events = AsyncStream<StoreEvent> { $0.finish() }
    let store = try SyncedDatabase(at: path, configuration) { events = $0.events() }
    return (store, events)
  }

  /// Why the background thread lists the folder at intervals; nil while the kernel tells of changes.
  package var pollingReason: String? { monitor?.pollingReason }

  deinit {
    monitor?.stop()
    core.finish()
  }

  /// Makes a store of an existing database, or of a new one with the schema and the seeds of the configuration's migrations.
  ///
  /// - Throws: ``StoreError`` with `traces` where a store or signs of one stand, `noStore`, `notADatabase`, `damaged`, `busy`.
  public static func initialize(
    path: String, create: Bool = false, configuration: Configuration = Configuration()
  ) throws -> InitReport {
    try initialize(at: FilePath(path), create: create, configuration: configuration)
  }

  /// Makes a store of a database whose path need not be text.
  package static func initialize(
    at path: FilePath, create: Bool, configuration: Configuration
  ) throws -> InitReport {
    try Store.initialize(path, create: create, configuration)
  }

  /// Where the database really stands, links followed.
  public var path: FilePath { core.paths.database }

  /// What happens to the store from now on.
  public func events() -> AsyncStream<StoreEvent> { core.events.listen() }

  /// Publishes what waits, and lets go of the file.
  public func close() throws {
    monitor?.stop()
    try core.close()
  }
}

/// Reading and writing.
extension SyncedDatabase {
  /// Runs a closure on the database as it stands at one moment.
  ///
  /// - Throws: ``StoreError`` with `nested` inside another closure, `unavailable`, `damaged`; and what the closure throws. A closure that
  ///   writes is rolled back and throws `usage`.
  public func read<Result: Sendable>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try core.read(body)
  }

  /// Runs a closure as one transaction: all of it happens, or nothing.
  ///
  /// When this returns the rows are durable in the database and, unless capturing is debounced, in a version.
  ///
  /// - Throws: ``StoreError`` with `locked`, `busy`, `setAside` when another file took the place of the database meanwhile and the write is kept
  ///   as a version, `nested`, `noSpace`, `unavailable`; and what the closure throws, after rolling back.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try core.write(reason: .write, body)
  }

  /// Does the same as `read` without blocking the caller's executor.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await core.offCaller { try $0.read(body) }
  }

  /// Does the same as `write` without blocking the caller's executor.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await core.offCaller { try $0.write(reason: .write, body) }
  }
}
