import OpenWOHistory
import OpenWOSQLite

/// The live file's bytes through SQLite's own handle; stable while the connection is in a read lock.
struct LiveContent: ContentSource {
  let connection: Connection
  let size: Int64

  init(_ connection: Connection) throws {
    self.connection = connection
    size = try connection.fileSize()
  }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try connection.readFile(at: offset, into: buffer)
  }

  /// The digests of all its blocks.
  func digests() throws -> BlockDigests {
    try BlockDigests(size: size, read: read)
  }
}
