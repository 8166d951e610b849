import OpenWOSQLite

/// How a file is divided into pages, by its header or, if that is gone, by what its pages look like.
package struct PageGuess: Sendable, Hashable {
  /// Bytes in a page.
  package let pageSize: Int
  /// Unused bytes at the end of each page.
  package let reservedBytes: Int

  /// Nil if nothing in the file looks like a page of a database.
  package init?(
    size: Int64, read: (Int64, UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    let buffer = PageBuffer(byteCount: 65536)
    let start = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<DatabaseHeader.size])
    if try read(0, start) == start.count, let header = DatabaseHeader.parse(Array(start)),
      header.pageSize - header.reservedBytes >= 480
    {
      (pageSize, reservedBytes) = (header.pageSize, header.reservedBytes)
      return
    }
    var best = (bytes: 0, pageSize: 0)
    for pageSize in [4096, 1024, 512, 2048, 8192, 16384, 32768, 65536] {
      let count = size / Int64(pageSize)
      let step = max(1, count / 500)
      var found = 0
      for page in stride(from: 1, to: count, by: Int64.Stride(step)) {
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<pageSize])
        guard try read(page * Int64(pageSize), bytes) == pageSize else { continue }
        if Self.isPage(UnsafeRawBufferPointer(bytes)) { found += 1 }
      }
      if found * pageSize > best.bytes { best = (found * pageSize, pageSize) }
    }
    guard best.bytes > 0 else { return nil }
    (pageSize, reservedBytes) = (best.pageSize, 0)
  }

  /// Whether bytes are a b-tree page with rows that can be found.
  private static func isPage(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let page = try? BTreePage(number: 2, bytes: bytes, usable: bytes.count),
      page.cellCount > 0
    else { return false }
    return (0..<page.cellCount).allSatisfy { (try? BTreeCell(page, $0)) != nil }
  }
}
