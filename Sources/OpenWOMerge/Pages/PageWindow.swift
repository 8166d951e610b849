/// A few pages that lie one behind the other, read at once.
final class PageWindow {
  private let source: any PageSource
  private let buffer: PageBuffer
  private var first: UInt32 = 0
  private var count = 0

  init(_ source: any PageSource, byteCount: Int) {
    self.source = source
    buffer = PageBuffer(byteCount: max(byteCount, source.pageSize))
  }

  /// Pages it can hold.
  var capacity: Int { buffer.bytes.count / source.pageSize }

  /// Whether a page is here already.
  func holds(_ number: UInt32) -> Bool {
    number >= first && Int(number) < Int(first) + count
  }

  /// The bytes of a page, valid until the next call; if it must be read, `ahead` pages are read.
  func page(_ number: UInt32, ahead: Int) throws -> UnsafeRawBufferPointer {
    if number < first || Int(number) >= Int(first) + count {
      guard number >= 1, Int(number) <= source.pageCount else {
        throw MalformedPage(page: number, reason: .outOfRange)
      }
      let wanted = min(ahead, capacity, source.pageCount - Int(number) + 1)
      count = 0
      try source.read(
        pagesFrom: Int(number),
        into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[0..<wanted * source.pageSize]))
      first = number
      count = wanted
    }
    let start = Int(number - first) * source.pageSize
    return UnsafeRawBufferPointer(rebasing: buffer.readable[start..<start + source.pageSize])
  }
}
