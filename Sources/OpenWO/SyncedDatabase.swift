import OpenWOFiles
@_exported public import OpenWOHistory
@_exported public import OpenWOSQLite
import Synchronization
public import SystemPackage

/// One SQLite database in a folder that a service keeps in sync, safe to read and write.
///
/// ```swift
/// let store = try SyncedDatabase(path: "Training/openwo.sqlite")
/// let names = try store.read { db in
///   try db.rows("SELECT name FROM exercise") { try $0.get(0) as String }
/// }
/// try store.write { db in
///   try db.execute("INSERT INTO session (day) VALUES (?)", "2026-11-21")
/// }
/// ```
///
/// Calls may come from any thread. Reads run beside each other and beside all other calls; those that
/// change the live file take turns, and a call that waits, such as ``lock(_:)``, does not keep the others
/// from it. While somebody holds the lock, writes throw `locked`, and reads see the last content before it.
public final class SyncedDatabase: Sendable {
  let core: StoreCore
  let monitor: Monitor?

  /// Opens the store of a database.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - configuration: How this device opens it.
  /// - Throws: ``StoreError`` with `noStore`, `newerFormat`, `newerSchema`, `otherStore`, `notPermitted` or `unavailable`.
  public convenience init(path: String, configuration: Configuration = Configuration()) throws {
    try self.init(at: FilePath(path), configuration: configuration)
  }

  /// Opens the store of a database whose path may be any bytes.
  package convenience init(at path: FilePath, configuration: Configuration) throws {
    try self.init(at: path, configuration) { _ in }
  }

  private init(
    at path: FilePath, _ configuration: Configuration, beforeStart: (SyncedDatabase) -> Void
  ) throws {
    core = try StoreCore(path, configuration)
    let monitor =
      configuration.monitors
      ? try Monitor(core, pollInterval: configuration.pollInterval) : nil
    self.monitor = monitor
    beforeStart(self)
    core.present { [weak monitor] in monitor?.hint() }
    try core.prepare()
    monitor?.start()
  }

  /// Opens the store and returns its events from the first one on.
  package static func listening(
    at path: FilePath, configuration: Configuration
  ) throws -> (SyncedDatabase, AsyncStream<StoreEvent>) {
    var events = AsyncStream<StoreEvent> { $0.finish() }
    let store = try SyncedDatabase(at: path, configuration) { events = $0.events() }
    return (store, events)
  }

  /// Why the background thread polls the folder; nil while the kernel notifies it of changes.
  package var pollingReason: String? { monitor?.pollingReason }

  deinit {
    monitor?.stop()
    core.finish()
  }

  /// Makes a store of an existing database, or of a new one with the schema and the seeds of the configuration's migrations.
  ///
  /// - Throws: ``StoreError`` with `traces` if there is a store or signs of one, `noStore`,
  ///   `notADatabase`, `damaged`, `busy`.
  public static func initialize(
    path: String, create: Bool = false, configuration: Configuration = Configuration()
  ) throws -> InitReport {
    try initialize(at: FilePath(path), create: create, configuration: configuration)
  }

  /// Makes a store of a database whose path may be any bytes.
  package static func initialize(
    at path: FilePath, create: Bool, configuration: Configuration
  ) throws -> InitReport {
    try coordinating(.writing, path, configuration) {
      try Initializing(path, create: create, configuration).run()
    }
  }

  /// Runs a call about a store that is not open here, in its turn.
  static func coordinating<Result>(
    _ access: FolderAccess, _ path: FilePath, _ configuration: Configuration,
    _ body: () throws -> Result
  ) throws -> Result {
    let paths = try StorePaths.resolve(path, configuration)
    return try FolderCoordination(paths, configuration).access(access, body)
  }

  /// The path of the database file, with links resolved.
  public var path: FilePath { core.paths.database }

  /// The events of the store from now on.
  public func events() -> AsyncStream<StoreEvent> { core.events.listen() }

  /// Does once what the background thread does after a change in the folder.
  package func lookOnce() throws {
    _ = try core.patiently { try $0.housekeeping.tick(folderChanged: true) }
  }

  /// Publishes pending versions and closes the file.
  ///
  /// Calls that wait just now end with `unavailable`, and a lock that was only asked for is taken back. It
  /// waits for the reads that still run, and throws `busy` if one takes longer than ten seconds more.
  public func close() throws {
    monitor?.stop()
    try core.close()
  }
}

/// Reading and writing.
extension SyncedDatabase {
  /// Runs a closure on the database as it is at one moment.
  ///
  /// It begins when no write is at work, and then runs beside all other calls. A write, or the arrival of
  /// a version, waits for its end: keep it short. While somebody holds the lock, it reads a copy of the
  /// content before it.
  ///
  /// - Throws: ``StoreError`` with `nested` inside another closure, `unavailable`, `damaged`; and what the closure throws. It cannot write:
  ///   a statement that tries to fails, and the read then throws `usage`.
  public func read<Result: Sendable>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try core.read(body)
  }

  /// Runs a closure as one transaction: all of it is committed, or nothing.
  ///
  /// When this returns, the rows are durable in the database and, unless capturing is debounced, in
  /// a version. While it waits for another program or for reads, the other calls of this process go on.
  ///
  /// - Throws: ``StoreError`` with `locked`, `busy`, also when a read outlasts ``Configuration/busyTimeout``, `nested`, `noSpace`, `unavailable`, and
  ///   `setAside` if another file replaced the database meanwhile and won: the write is then a
  ///   version. Also what the closure throws, after a rollback.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: (Connection) throws -> Result
  ) throws -> Result {
    try core.write(reason: .write, body)
  }

  /// The same as `read`, without blocking the caller's executor.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await core.offCaller { try $0.read(body) }
  }

  /// The same as `write`, without blocking the caller's executor.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await core.offCaller { try $0.write(reason: .write, body) }
  }
}
