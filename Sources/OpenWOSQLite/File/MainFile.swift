import OpenWOCSQLite

/// Reading beneath SQLite's cache, through its own descriptor: another one, once closed, would drop its locks.
extension UnsafeMutablePointer<sqlite3_file> {
  /// The bytes of the header on disk; fewer if the file ends before.
  func headerBytes() throws(SQLiteError) -> [UInt8] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: DatabaseHeader.size, alignment: 8)
    defer { bytes.deallocate() }
    let count = try read(at: 0, into: bytes)
    return Array(bytes.prefix(count))
  }

  /// The header on disk.
  func header() throws(SQLiteError) -> DatabaseHeader {
    guard let header = DatabaseHeader.parse(try headerBytes()) else {
      throw SQLiteError(.notADatabase, "the file has no header of a database")
    }
    return header
  }

  func size() throws(SQLiteError) -> Int64 {
    var size: Int64 = 0
    let result = openwo_file_size(self, &size)
    guard result == SQLITE_OK else { throw SQLiteError(result: result, database: nil) }
    return size
  }

  /// Fills the buffer, but for what lies beyond the end of the file, and returns how much there was.
  func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SQLiteError) -> Int {
    let available = Int(clamping: max(0, try size() - offset))
    let wanted = min(buffer.count, available)
    var done = 0
    while done < wanted {
      // SQLite asks its VFS for a page at a time, and some take no more than 128 KiB at once.
      let count = min(wanted - done, 65536)
      let result = openwo_file_read(
        self, buffer.baseAddress?.advanced(by: done), Int32(count), offset + Int64(done))
      guard result == SQLITE_OK else { throw SQLiteError(result: result, database: nil) }
      done += count
    }
    return done
  }
}
