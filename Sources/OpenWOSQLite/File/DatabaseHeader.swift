import OpenWOCSQLite

/// The first 100 bytes of a database file.
///
/// See <https://sqlite.org/fileformat2.html#the_database_header>.
package struct DatabaseHeader: Sendable, Equatable {
  /// The size of a page in bytes, 512 to 65536.
  package let pageSize: Int
  /// 1 for a rollback journal, 2 for WAL.
  package let writeVersion: UInt8
  /// 1 for a rollback journal, 2 for WAL.
  package let readVersion: UInt8
  /// Bytes left free at the end of each page.
  package let reservedBytes: Int
  /// Counts the transactions that changed the file.
  package let changeCounter: UInt32
  /// The size of the database in pages; right when `versionValidFor` equals `changeCounter`.
  package let pageCount: UInt32
  /// The change counter when `pageCount` was written.
  package let versionValidFor: UInt32
  /// 1 for UTF-8, 2 and 3 for UTF-16; 0 in a database without content.
  package let textEncoding: UInt32
  /// The application's number for its schema.
  package let userVersion: Int32
  /// The application's number for its files.
  package let applicationID: Int32

  /// Whether the header says that the database is in WAL mode.
  package var isWAL: Bool { writeVersion == 2 || readVersion == 2 }

  /// The size of the database in pages, for a file of this size.
  ///
  /// Bytes after the last page do not belong to it: programs let files grow in chunks, and services
  /// pad them.
  package func pages(inFileOf bytes: Int64) -> Int64 {
    // Before SQLite 3.7 the header did not tell how many pages there are.
    let tells = pageCount > 0 && versionValidFor == changeCounter
    return tells ? Int64(pageCount) : bytes / Int64(pageSize)
  }

  /// How many of a file's bytes are the database; more than there are if it is cut.
  package func contentSize(inFileOf bytes: Int64) -> Int64 {
    pages(inFileOf: bytes) * Int64(pageSize)
  }

  /// How many bytes a header has.
  package static let size = Int(OPENWO_HEADER_SIZE)

  /// Reads a header; nil if the bytes are not the header of a database.
  package static func parse(_ bytes: [UInt8]) -> DatabaseHeader? {
    guard bytes.count >= size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    func number(_ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    let stored = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = stored == 1 ? 65536 : stored
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    return DatabaseHeader(
      pageSize: pageSize, writeVersion: bytes[18], readVersion: bytes[19],
      reservedBytes: Int(bytes[20]), changeCounter: number(24), pageCount: number(28),
      versionValidFor: number(92), textEncoding: number(56),
      userVersion: Int32(bitPattern: number(60)), applicationID: Int32(bitPattern: number(68)))
  }

  /// A header as ``Connection/foldWAL()`` leaves it, or nothing if it does not say WAL mode.
  ///
  /// Folding is one more transaction, and leaves the mark of the SQLite that did it.
  package static func folded(_ bytes: [UInt8]) -> [UInt8]? {
    guard let header = parse(bytes), header.isWAL else { return nil }
    var folded = bytes
    func put(_ number: UInt32, at offset: Int) {
      withUnsafeBytes(of: number.bigEndian) {
        folded.replaceSubrange(offset..<offset + 4, with: $0)
      }
    }
    (folded[18], folded[19]) = (1, 1)
    put(header.changeCounter &+ 1, at: 24)
    put(header.changeCounter &+ 1, at: 92)
    put(UInt32(sqlite3_libversion_number()), at: 96)
    return folded
  }

  /// A header with the mode and the counters of another one, which are all that a change of the mode moves.
  package static func counted(_ bytes: [UInt8], as other: [UInt8]) -> [UInt8]? {
    guard bytes.count >= size, other.count >= size else { return nil }
    var counted = bytes
    for place in [18..<20, 24..<28, 92..<100] {
      counted.replaceSubrange(place, with: other[place])
    }
    return counted
  }
}
