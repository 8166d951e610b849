import OpenWOFiles
package import OpenWOSQLite
import Synchronization
package import SystemPackage

/// A database of which no state is known yet: what lies beside it is judged before it is believed, and kept where it is taken away.
package struct FoundDatabase {
  private let paths: StorePaths
  private let evidence: StatePaths
  private let configuration: Configuration
  private let becomesStore: Bool
  /// What kept a journal from being judged.
  private let obstacle = Obstacle()

  private final class Obstacle: Sendable {
    let error = Mutex<(any Error)?>(nil)
  }

  /// Names a database, and the folder that keeps what is taken away beside it; the folder is made when it is needed.
  ///
  /// Where the database becomes a store, that one keeps the state that a journal alone leads to.
  package init(
    _ path: FilePath, keepingIn folder: FilePath, _ configuration: Configuration,
    becomesStore: Bool = false
  ) {
    paths = StorePaths(database: path, stateRoot: configuration.resolvedStateFolder)
    evidence = StatePaths(root: folder)
    self.configuration = configuration
    self.becomesStore = becomesStore
  }

  /// Runs a body with the database open; what is not whole is refused and left as it is.
  ///
  /// - Throws: `damaged`, and `JournalTriage.StateLeft` where the database is whole and its journal is left to the store that it becomes.
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

  /// The log beside a database is read only where the database itself says that it is in WAL mode: it may be another one's.
  ///
  /// It is folded into the database when that is closed, once the two are whole together; a store that is to be made does that itself.
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
      hint: "save what can be saved: sqlite3 \(paths.shellName) .recover")
  }

  private var withBadJournal: StoreError {
    StoreError(
      .damaged,
      "\(paths.name) is not known to be whole, neither as it is nor with the "
        + "journal beside it; nothing was changed",
      hint:
        "keep the journal elsewhere, then try again: mv \(paths.called(paths.journal).shellName) ~")
  }
}
