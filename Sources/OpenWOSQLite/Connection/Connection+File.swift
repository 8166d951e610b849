import OpenWOCSQLite

extension Connection {
  private var file: UnsafeMutablePointer<sqlite3_file> {
    get throws(SQLiteError) {
      guard let file = database.file else { throw database.closedError }
      return file
    }
  }

  /// The header of the file as it is on disk; stable within ``withReadLock(_:)``.
  package func header() throws(SQLiteError) -> DatabaseHeader { try file.header() }

  /// The bytes of that header.
  package func headerBytes() throws(SQLiteError) -> [UInt8] { try file.headerBytes() }

  /// The size of the file in bytes.
  package func fileSize() throws(SQLiteError) -> Int64 { try file.size() }

  /// Reads from the file beneath SQLite's cache and returns how many bytes there were.
  ///
  /// Stable within ``withReadLock(_:)``.
  package func readFile(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SQLiteError) -> Int {
    try file.read(at: offset, into: buffer)
  }

  /// Whether the path now leads to another file than the open one, or to none.
  package var hasMoved: Bool {
    var moved: Int32 = 0
    guard let handle = database.handle else { return true }
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
    return result != SQLITE_OK || moved != 0
  }

  /// Notices from now on when a program writes another state over the file that asks for no lock, as some services do.
  ///
  /// To be called within the transaction that is to be watched.
  ///
  /// - Returns: The bytes of the header that the file has before it.
  @discardableResult
  package func watchWrites() throws(SQLiteError) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let result = openwo_watch_writes(try file, &header)
    guard result == SQLITE_OK else { throw SQLiteError(result: result, database: nil) }
    return header
  }

  /// What tells of programs that wrote over the file without a lock.
  package enum OthersWrites: Sendable {
    /// Nothing.
    case nothing
    /// The file's times; only its content can say whether one did.
    case times
    /// Pages that this connection wrote, or the first one.
    case pages
  }

  /// Whether a program has written over the file since ``watchWrites()``; to be asked once the
  /// transaction is committed.
  package func writesOfOthers() throws(SQLiteError) -> OthersWrites {
    var answer = OPENWO_OTHERS_WROTE
    let result = openwo_written_by_others(try file, &answer)
    guard result == SQLITE_OK else { throw SQLiteError(result: result, database: nil) }
    return switch answer {
    case OPENWO_OTHERS_SILENT: .nothing
    case OPENWO_OTHERS_MAY: .times
    default: .pages
    }
  }

  /// Whether a program had written over the file before the first page of the transaction was
  /// written, so that none was, although SQLite takes it for committed.
  ///
  /// The connection then knows another state than the file has; close it.
  package var hasWithheldWrites: Bool { database.file.map { openwo_withheld($0) != 0 } ?? false }

  /// Whether this connection has written pages since they were last taken.
  package var hasChangedPages: Bool { database.file.map { openwo_has_changes($0) != 0 } ?? false }

  /// The pages written by this connection since they were last taken, or since it was opened.
  ///
  /// To be called outside of a transaction.
  package func takeChangedPages() throws(SQLiteError) -> ChangedPages {
    guard hasChangedPages else { return .pages([]) }
    let file = try file
    let size = try file.size()
    let pageSize = size == 0 ? ChangedPages.unit : try file.header().pageSize
    let changes = openwo_take_changes(file)
    defer { sqlite3_free(changes.words) }
    return ChangedPages(changes, pageSize: pageSize, fileSize: size)
  }
}
