/// The part of a record that did not fit on its page.
struct OverflowChain {
  let source: any PageSource
  let first: UInt32
  let byteCount: Int

  /// Hands over each page's share in order; the bytes are valid during the call only.
  ///
  /// Stops early when `body` returns false. A chain that is shorter than it must be, or loops, throws.
  func forEachPage(
    buffer: PageBuffer, _ body: (UInt32, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    guard byteCount <= source.pageCount * source.usableSize else {
      throw MalformedPage(page: first, reason: .overflow)
    }
    var page = first
    var left = byteCount
    while left > 0 {
      guard page != 0 else { throw MalformedPage(page: first, reason: .overflow) }
      try source.readPage(page, into: buffer)
      let share = min(left, source.usableSize - 4)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.readable[4..<4 + share])
      guard try body(page, bytes) else { return }
      left -= share
      page = BTreePage.word(buffer.readable, 0)
    }
  }

  /// Whether two chains of equal length hold the same bytes.
  func hasSameBytes(as other: OverflowChain, _ buffer: PageBuffer, _ otherBuffer: PageBuffer) throws
    -> Bool
  {
    guard byteCount == other.byteCount, source.usableSize == other.source.usableSize else {
      return try allBytes(buffer) == other.allBytes(otherBuffer)
    }
    var next = other.first
    var same = true
    try forEachPage(buffer: buffer) { _, bytes in
      try other.source.readPage(next, into: otherBuffer)
      let theirs = otherBuffer.readable
      same = sameBytes(bytes, UnsafeRawBufferPointer(rebasing: theirs[4..<4 + bytes.count]))
      next = BTreePage.word(theirs, 0)
      return same
    }
    return same
  }

  private func allBytes(_ buffer: PageBuffer) throws -> [UInt8] {
    var all: [UInt8] = []
    try forEachPage(buffer: buffer) { _, bytes in
      all.append(contentsOf: bytes)
      return true
    }
    return all
  }
}
