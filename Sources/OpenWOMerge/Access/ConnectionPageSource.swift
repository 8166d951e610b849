import OpenWOSQLite

/// The pages of an open database's file, read through SQLite's own handle.
///
/// To be used inside a read lock only, and not in a transaction that has written.
final class ConnectionPageSource: PageSource {
  let pageSize: Int
  let pageCount: Int
  let reservedBytes: Int
  private let connection: Connection

  /// Nil if the file's pages may not be all of the content: in WAL mode some are elsewhere, unless
  /// it is known that there is no log.
  init?(_ connection: Connection, isWithoutLog: Bool = false) throws {
    guard try connection.fileSize() > 0 else { return nil }
    let header = try connection.header()
    guard isWithoutLog || !header.isWAL, header.pageSize - header.reservedBytes >= 480 else {
      return nil
    }
    pageSize = header.pageSize
    reservedBytes = header.reservedBytes
    let size = try connection.fileSize()
    pageCount = Int(min(header.pages(inFileOf: size), size / Int64(header.pageSize)))
    self.connection = connection
  }

  func read(pagesFrom first: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
    let offset = Int64(first - 1) * Int64(pageSize)
    guard try connection.readFile(at: offset, into: buffer) == buffer.count else {
      throw MalformedPage(page: UInt32(first), reason: .outOfRange)
    }
  }
}
