import OpenWOCSQLite

/// A result code of SQLite, primary or extended.
///
/// In a pattern, a primary code matches all of its extended codes: `case .busy` also catches
/// `SQLITE_BUSY_SNAPSHOT`. See <https://sqlite.org/rescode.html>.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
  /// The number that SQLite uses.
  public let rawValue: Int32

  /// Wraps a number that SQLite uses.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The primary code: the lowest eight bits.
  public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

  /// Whether `value` is `pattern`, or an extended code of a primary `pattern`.
  public static func ~= (pattern: ResultCode, value: ResultCode) -> Bool {
    pattern == value || pattern == value.primary
  }
}

extension ResultCode {
  /// An error without its own code, often invalid SQL.
  public static let error = ResultCode(rawValue: SQLITE_ERROR)
  /// Access was denied.
  public static let permission = ResultCode(rawValue: SQLITE_PERM)
  /// A callback asked to stop.
  public static let abort = ResultCode(rawValue: SQLITE_ABORT)
  /// Another connection holds a conflicting lock.
  public static let busy = ResultCode(rawValue: SQLITE_BUSY)
  /// A conflict within the same connection.
  public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  /// Out of memory.
  public static let noMemory = ResultCode(rawValue: SQLITE_NOMEM)
  /// The database can only be read.
  public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  /// A program was interrupted while it wrote, and a read-only connection cannot replay its
  /// journal.
  public static let interruptedWrite = ResultCode(rawValue: SQLITE_READONLY | 3 << 8)
  /// Interrupted by a token or past its deadline.
  public static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  /// The operating system reported an error.
  public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  /// The file is damaged.
  public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  /// The disk, or a limit set on the database, is full.
  public static let full = ResultCode(rawValue: SQLITE_FULL)
  /// The file cannot be opened.
  public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  /// A text, a blob or a row is larger than allowed.
  public static let tooBig = ResultCode(rawValue: SQLITE_TOOBIG)
  /// A constraint was violated.
  public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  /// The statement would change a setting that keeps the file safe.
  public static let authorization = ResultCode(rawValue: SQLITE_AUTH)
  /// A value does not have the requested type.
  public static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  /// The interface was used wrongly.
  public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  /// A parameter or a column with that number does not exist.
  public static let range = ResultCode(rawValue: SQLITE_RANGE)
  /// The file is not a SQLite database.
  public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

extension ResultCode {
  /// A journal beside the database was not proven to belong to it.
  public static let journalRefused = ResultCode(rawValue: Int32(OPENWO_CANTOPEN_JOURNAL))
  /// The database is in WAL mode, which this connection does not use.
  public static let walRefused = ResultCode(rawValue: Int32(OPENWO_CANTOPEN_WAL))
  /// SQLITE_READONLY_ROLLBACK: a transaction is to be rolled back that somebody left unfinished, and this connection cannot write.
  package static let rollbackNeeded = ResultCode(rawValue: SQLITE_READONLY | 3 << 8)
  /// A link, a FIFO, a folder or a device is in the place of a file.
  public static let notAFile = ResultCode(rawValue: Int32(OPENWO_CANTOPEN_KIND))
  /// A transaction over several database files, which synced files cannot have.
  public static let severalFiles = ResultCode(rawValue: Int32(OPENWO_CANTOPEN_SUPER))
  /// The connection was used in a forked child of the process that opened it.
  public static let forked = ResultCode(rawValue: Int32(OPENWO_IOERR_FORKED))
  /// A reader holds an older state, so this one cannot write.
  public static let busySnapshot = ResultCode(rawValue: SQLITE_BUSY | (2 << 8))
  /// A foreign key refers to a missing row.
  public static let foreignKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (3 << 8))
  /// A column that must have a value got NULL.
  public static let notNull = ResultCode(rawValue: SQLITE_CONSTRAINT | (5 << 8))
  /// A primary key occurs twice.
  public static let primaryKey = ResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
  /// A unique value occurs twice.
  public static let unique = ResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  /// The file was moved, replaced or removed since it was opened.
  public static let moved = ResultCode(rawValue: SQLITE_READONLY | (4 << 8))
}
