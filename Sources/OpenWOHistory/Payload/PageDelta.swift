/// A page as a difference from the page that was in its place before.
///
/// The form is a list of steps until the page is full: a number of new bytes and those bytes; then,
/// unless the page is full, a number of bytes to copy from the old page and their place there,
/// counted from the place reached in the new page (0, −1, 1, −2, 2 … as 0, 1, 2, 3, 4 …).
enum PageDelta {
  /// Rebuilds a page of exactly the size of `page`.
  static func apply(
    _ steps: inout ByteReader, to base: UnsafeRawBufferPointer,
    making page: UnsafeMutableRawBufferPointer
  ) throws(HistoryError) {
    var filled = 0
    while true {
      let new = try steps.take(try count(from: &steps, filled, of: page.count, least: 0))
      page[filled..<filled + new.count].copyBytes(from: new)
      filled += new.count
      if filled == page.count { return }
      let shared = try count(from: &steps, filled, of: page.count, least: 1)
      let (start, overflow) = filled.addingReportingOverflow(try distance(from: &steps))
      guard !overflow, start >= 0, start <= base.count - shared else {
        throw .malformed("a page copies from outside the old page")
      }
      page[filled..<filled + shared].copyBytes(from: base[start..<start + shared])
      filled += shared
      if filled == page.count { return }
    }
  }

  /// Passes over the steps of one page.
  static func skip(_ steps: inout ByteReader, pageSize: Int) throws(HistoryError) {
    var filled = 0
    while true {
      filled += try steps.take(try count(from: &steps, filled, of: pageSize, least: 0)).count
      if filled == pageSize { return }
      filled += try count(from: &steps, filled, of: pageSize, least: 1)
      _ = try distance(from: &steps)
      if filled == pageSize { return }
    }
  }

  private static func count(
    from steps: inout ByteReader, _ filled: Int, of pageSize: Int, least: Int
  ) throws(HistoryError) -> Int {
    let count = try steps.takeNumber()
    guard least...(pageSize - filled) ~= count else {
      throw .malformed("a page has more bytes than there is room")
    }
    return count
  }

  private static func distance(from steps: inout ByteReader) throws(HistoryError) -> Int {
    let number = try steps.takeNumber()
    return number & 1 == 0 ? number >> 1 : -(number >> 1) - 1
  }
}
