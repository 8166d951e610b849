import OpenWOHistory
import OpenWOSQLite

/// The database's bytes through SQLite's own handle; stable while the connection is in a read lock.
///
/// Bytes after the last page that the header counts do not belong to it.
struct LiveContent: ContentSource {
  let connection: Connection
  let size: Int64

  init(_ connection: Connection) throws {
    self.connection = connection
    let size = try connection.fileSize()
    let header = try DatabaseHeader.parse(connection.headerBytes())
    self.size = header.map { min(size, $0.contentSize(inFileOf: size)) } ?? size
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let wanted = Int(min(max(size - offset, 0), Int64(buffer.count)))
    return try connection.readFile(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
  }

  /// The digests of all its blocks.
  func digests() throws -> BlockDigests {
    try BlockDigests(size: size, read: read)
  }
}
