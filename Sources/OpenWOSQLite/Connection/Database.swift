import OpenWOCSQLite
import SystemPackage

/// The open database handle that a connection shares with its statements.
@usableFromInline
final class Database {
  /// The handle, until it is closed.
  @exclusivity(unchecked) @usableFromInline private(set) var handle: OpaquePointer?
  /// The main file beneath SQLite, in the hands of the guard.
  private(set) var file: UnsafeMutablePointer<sqlite3_file>?
  /// The statements in our care; SQLite's own list also has those that virtual tables finalise.
  private var statements: Set<OpaquePointer> = []
  private let judge: JournalJudge?
  /// The source of the bytes if it is not a file.
  private let outside: OutsideContent?
  private var deadline: ContinuousClock.Instant?
  /// Whether somebody else writes in the open transaction just now, and whether it has ended meanwhile.
  @exclusivity(unchecked) var isLent = false
  @exclusivity(unchecked) var hasEnded = false
  /// Whether the settings are kept that commits rest on.
  var keepsSettings = false
  /// Whether the authorizer notes the tables of statements.
  var notesTables = false
  /// Whether a statement is just prepared, and what it uses as far as it is.
  var isPreparing = false
  var noted = TableUse()
  /// What the statements of a closure have used so far; nil: nobody asks.
  @exclusivity(unchecked) var used: TableUse?
  let interruptToken: InterruptToken

  @inlinable
  var isOpen: Bool { handle != nil }

  init(
    path: FilePath, _ options: Connection.Options, outside: OutsideContent? = nil
  ) throws(SQLiteError) {
    self.outside = outside
    judge = options.guardPolicy.judge.map { JournalJudge($0) }
    deadline = options.timeLimit.map { .now + $0 }
    let registered = openwo_register()
    guard registered == SQLITE_OK else { throw SQLiteError(result: registered, database: nil) }
    let name = options.immutable ? DatabaseURI.immutable(path) : DatabaseURI.plain(path)
    let flags =
      options.mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (options.immutable ? SQLITE_OPEN_URI : 0)
    var opened: OpaquePointer?
    let result = name.withUnsafeBufferPointer {
      if let outside {
        return openwo_open_content(
          outside.content, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, &opened)
      }
      return sqlite3_open_v2($0.baseAddress, &opened, flags, OPENWO_VFS)
    }
    interruptToken = InterruptToken(opened)
    handle = opened
    file = opened.flatMap { openwo_main_file($0) }
    guard result == SQLITE_OK, let file else {
      let error = SQLiteError(result: result, database: opened)
      close()
      throw error
    }
    let ask = judge == nil ? nil : JournalJudge.ask
    openwo_set_policy(file, options.guardPolicy.number, ask, judge?.context)
    watchDeadline(every: Self.steps)
  }

  deinit {
    close()
  }

  /// Closes every statement and the file, even if somebody still holds one.
  func close() {
    guard let open = handle else { return }
    interruptToken.disarm()
    handle = nil
    file = nil
    for statement in statements { sqlite3_finalize(statement) }
    statements = []
    sqlite3_close(open)
  }

  /// Takes a prepared statement into care, until it is given up or the connection closed.
  func adopt(_ statement: OpaquePointer) {
    statements.insert(statement)
  }

  /// Finalises a statement, unless closing has done so.
  func giveUp(_ statement: OpaquePointer) {
    if statements.remove(statement) != nil { sqlite3_finalize(statement) }
  }

  @usableFromInline
  var closedError: SQLiteError { SQLiteError(.misuse, "the connection is closed") }

  /// Whether the time that the connection was given is over.
  var isPastDeadline: Bool { deadline.map { .now > $0 } ?? false }

  /// After how many steps of SQLite's virtual machine the time is looked at: often enough, and cheap.
  private static var steps: Int32 { 10_000 }

  /// Runs a body that has so much time; past that, its statements are interrupted.
  func withTimeLimit<Result>(_ limit: Duration, _ body: () throws -> Result) rethrows -> Result {
    let before = deadline
    let end = ContinuousClock.now + limit
    deadline = before.map { min($0, end) } ?? end
    // A single step may be the call of a costly function.
    watchDeadline(every: 100)
    defer {
      deadline = before
      watchDeadline(every: Self.steps)
    }
    return try body()
  }

  /// Runs a body that has so much time and makes no text or blob of more bytes than that, unless the file itself is larger.
  func withLimits<Result>(
    time: Duration, length: Int, _ body: () throws -> Result
  ) throws -> Result {
    let most = Int32(clamping: max(length, Int(clamping: try file?.size() ?? 0)))
    let before = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, min(before, most))
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, before) }
    return try withTimeLimit(time, body)
  }

  private func watchDeadline(every steps: Int32) {
    guard deadline != nil else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return
    }
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_progress_handler(
      handle, steps,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Database>.fromOpaque(context).takeUnretainedValue().isPastDeadline ? 1 : 0
      }, context)
  }

  func check(_ result: Int32, sql: String? = nil) throws(SQLiteError) {
    if result != SQLITE_OK { throw SQLiteError(result: result, database: handle, sql: sql) }
  }
}
