/// The source of the pages of one SQLite database: a file, a version, or bytes in memory.
///
/// Its pages are not trusted: readers check every offset in them. The content must not change while
/// it is read; a read lock ensures that.
package protocol PageSource: AnyObject {
  /// Bytes in a page: a power of two from 512 to 65536.
  var pageSize: Int { get }

  /// Pages in the database.
  var pageCount: Int { get }

  /// Unused bytes at the end of each page.
  var reservedBytes: Int { get }

  /// Fills `buffer`, a whole number of pages, with the pages from `first` (1-based) on.
  func read(pagesFrom first: Int, into buffer: UnsafeMutableRawBufferPointer) throws
}

extension PageSource {
  /// The bytes of a page that hold content.
  var usableSize: Int { pageSize - reservedBytes }

  func readPage(_ number: UInt32, into buffer: PageBuffer) throws {
    guard number >= 1, Int(number) <= pageCount else {
      throw MalformedPage(page: number, reason: .outOfRange)
    }
    try read(
      pagesFrom: Int(number),
      into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[0..<pageSize]))
  }
}
