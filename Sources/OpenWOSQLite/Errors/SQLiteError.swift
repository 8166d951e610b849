import OpenWOCSQLite

/// An error of SQLite or of this layer.
///
/// It carries the SQL text, but never the values that were bound to it.
public struct SQLiteError: Error, Sendable, Equatable {
  /// The primary code, for telling kinds of errors apart.
  public var code: ResultCode { extendedCode.primary }
  /// The exact code.
  public let extendedCode: ResultCode
  /// One sentence in lower case without a full stop.
  public let message: String
  /// The statement that failed, if there was one.
  public let sql: String?

  /// Whether it says nothing of a file but that it could not be read or written just now.
  package var isPassing: Bool {
    switch code {
    case .busy, .cannotOpen, .full, .ioError, .noMemory, .permission, .readOnly: true
    default: false
    }
  }

  /// Makes an error from its parts.
  public init(_ code: ResultCode, _ message: String, sql: String? = nil) {
    self.extendedCode = code
    self.message = message
    self.sql = sql
  }

  /// The error that a call on `database` just reported with `result`.
  @usableFromInline
  init(result: Int32, database: OpaquePointer?, sql: String? = nil) {
    let code = Self.isForWAL(result, database) ? .walRefused : ResultCode(rawValue: result)
    // The text kept by the connection is that of its latest error, which may be another one.
    let isLatest = database != nil && sqlite3_errcode(database) & 0xff == result & 0xff
    let text = isLatest ? sqlite3_errmsg(database) : sqlite3_errstr(result)
    self.init(code, code.sentence ?? text.map { String(cString: $0) } ?? "unknown error", sql: sql)
  }
}

extension SQLiteError {
  /// Whether `SQLITE_CANTOPEN` means that the open file is in WAL mode, which the guard does not offer.
  private static func isForWAL(_ result: Int32, _ database: OpaquePointer?) -> Bool {
    guard result == SQLITE_CANTOPEN, let database, let file = openwo_main_file(database) else {
      return false
    }
    return (try? file.header())?.isWAL ?? false
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the code by number, and the beginning of the SQL.
  public var description: String {
    guard let sql else { return "\(message) (SQLite code \(extendedCode.rawValue))" }
    let beginning = sql.count > 200 ? sql.prefix(200) + "…" : sql[...]
    return "\(message) (SQLite code \(extendedCode.rawValue)) in: \(beginning)"
  }
}

extension ResultCode {
  /// Words for the guard's own codes, for which SQLite has none.
  fileprivate var sentence: String? {
    switch self {
    case ResultCode.journalRefused: "a journal beside the database is not proven to be its own"
    case ResultCode.walRefused: "the database is in WAL mode"
    case ResultCode.notAFile: "not a regular file"
    case ResultCode.severalFiles: "a transaction cannot span several database files"
    case ResultCode.forked: "a connection cannot be used in a forked child"
    default: nil
    }
  }
}
