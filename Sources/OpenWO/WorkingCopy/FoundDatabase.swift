import OpenWOFiles
package import OpenWOSQLite
import Synchronization
package import SystemPackage

/// A database without any known state.
///
/// Files beside it are judged before they are used, and kept if they are moved away.
package struct FoundDatabase {
  private let paths: StorePaths
  private let evidence: StatePaths
  private let configuration: Configuration
  private let becomesStore: Bool
  /// Why a journal could not be judged.
  private let obstacle = Obstacle()

  private final class Obstacle: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  /// Names a database, and the folder for files that are moved away from beside it; the folder is
  /// made when it is needed.
  ///
  /// If the database becomes a store, the store captures a state that only a journal leads to.
  package init(
    _ path: FilePath, keepingIn folder: FilePath, _ configuration: Configuration,
    becomesStore: Bool = false
  ) {
    paths = StorePaths(database: path, stateRoot: configuration.resolvedStateFolder)
    evidence = StatePaths(root: folder)
    self.configuration = configuration
    self.becomesStore = becomesStore
  }

  /// Runs a body with the database open; a database that is not whole is refused and left as it is.
  ///
  /// - Throws: `damaged`, and `JournalTriage.StateLeft` if the database is whole and its journal is
  ///   left to the new store.
  package func withWhole<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    do {
      let (connection, hasLog) = try open()
      defer { connection.close() }
      let damage = try hasLog ? damage(behindLog: connection) : damage(of: connection)
      if let damage { throw damaged(damage) }
      if hasLog, !becomesStore {
        _ = try LogFiles.keepDatabase(connection, paths, in: evidence, configuration.files)
        try connection.foldsOnClose(true)
      }
      return try body(connection)
    } catch let error as SQLiteError where error.code == .corrupt {
      throw damaged(error.message)
    } catch let error as SQLiteError where error.extendedCode == .journalRefused {
      throw obstacle.error.withLock(\.self).map { StoreError.of($0, paths) } ?? withBadJournal
    }
  }

  private func damage(of connection: Connection) throws -> String? {
    // To SQLite a file without bytes is a database without tables.
    guard try connection.fileSize() > 0 else { return nil }
    return try connection.withReadLock { try connection.damage(ifDelivered: false) }
  }

  /// The newest pages are in the log, so SQLite has to read them.
  private func damage(behindLog connection: Connection) throws -> String? {
    try connection.findings().problems.first(where: Connection.isAboutPages)
  }

  /// The log beside a database is read only if the database itself is in WAL mode, as it may be
  /// another database's.
  ///
  /// If both are whole, the log is checkpointed when the database is closed; a new store does that
  /// itself.
  private func open() throws -> (Connection, hasLog: Bool) {
    let triage = JournalTriage(
      unknown: paths, evidence, configuration.files, leavesStates: becomesStore)
    let judge = triage.closure { error in obstacle.error.withLock { $0 = error } }
    do {
      return (try connect(.live(judge: judge)), false)
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      try LogFiles.detach(beside: paths, configuration.files)
      let connection = try connect(.foldWAL(judge: judge))
      do {
        try connection.foldsOnClose(false)
        return (connection, true)
      } catch {
        connection.close()
        throw error
      }
    }
  }

  private func connect(_ policy: GuardPolicy) throws -> Connection {
    try Connection(
      path: paths.database,
      Connection.Options(
        mode: .readWrite, guardPolicy: policy, busyTimeout: configuration.busyTimeout))
  }

  private func damaged(_ why: String) -> StoreError {
    StoreError(
      .damaged, "\(paths.name) is damaged (\(why)); nothing was changed",
      advice: paths.next("save what can be saved", .sqlite(paths.typed, .recover)))
  }

  private var withBadJournal: StoreError {
    StoreError(
      .damaged,
      "\(paths.name) is not known to be whole, neither as it is nor with the "
        + "journal beside it; nothing was changed",
      advice: paths.next(
        "keep the journal elsewhere, then try again", .moveHome(paths.called(paths.journal))))
  }
}
