/// Finds the leaves that two trees share: the same page number, the same bytes, and the same bytes
/// on every overflow page behind them.
///
/// Their rows are the same in both and need not be looked at.
struct SharedLeaves {
  private let old: any PageSource
  private let new: any PageSource
  private let kind: BTreePage.Kind
  private let windowPages: Int
  private let oldWindow: PageBuffer
  private let newWindow: PageBuffer
  private let oldChain: PageBuffer
  private let newChain: PageBuffer

  init(_ old: any PageSource, _ new: any PageSource, isTable: Bool) {
    self.old = old
    self.new = new
    kind = isTable ? .leafTable : .leafIndex
    windowPages = max(1, 128 * 1024 / old.pageSize)
    oldWindow = PageBuffer(byteCount: windowPages * old.pageSize)
    newWindow = PageBuffer(byteCount: windowPages * old.pageSize)
    oldChain = PageBuffer(byteCount: old.pageSize)
    newChain = PageBuffer(byteCount: old.pageSize)
  }

  /// The shared ones among `candidates`, leaves of both trees.
  ///
  /// Pages have one size in both.
  ///
  /// Reading a few pages more costs less than asking again, so small gaps are read over.
  func find(among candidates: PageSet) throws -> PageSet {
    var shared = candidates
    let pages = candidates.pages
    let gap = max(1, 8 * 1024 / old.pageSize)
    var at = 0
    while at < pages.count {
      let first = pages[at]
      var end = at + 1
      while end < pages.count, Int(pages[end] - first) < windowPages,
        Int(pages[end] - pages[end - 1]) <= gap
      { end += 1 }
      try compare(pages[at..<end]) { shared.remove($0) }
      at = end
    }
    return shared
  }

  private func compare(_ pages: ArraySlice<UInt32>, _ differs: (UInt32) -> Void) throws {
    guard let first = pages.first, let last = pages.last else { return }
    guard Int(last) <= min(old.pageCount, new.pageCount) else {
      throw MalformedPage(page: last, reason: .outOfRange)
    }
    let size = old.pageSize
    let bytes = Int(last - first + 1) * size
    let mine = UnsafeMutableRawBufferPointer(rebasing: oldWindow.bytes[0..<bytes])
    let theirs = UnsafeMutableRawBufferPointer(rebasing: newWindow.bytes[0..<bytes])
    try old.read(pagesFrom: Int(first), into: mine)
    try new.read(pagesFrom: Int(first), into: theirs)
    for number in pages {
      let at = Int(number - first) * size
      let page = UnsafeRawBufferPointer(rebasing: mine[at..<at + size])
      let twin = UnsafeRawBufferPointer(rebasing: theirs[at..<at + size])
      if try !sameBytes(page, twin) || !hasSameOverflow(number, page) { differs(number) }
    }
  }

  /// Whether what lies behind a leaf, equal in both, is equal too.
  private func hasSameOverflow(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) throws -> Bool {
    let page = try BTreePage(number: number, bytes: bytes, usable: old.usableSize)
    guard page.kind == kind else { return false }
    let largest = BTreeCell.largestLocal(usable: page.usable, isTable: kind == .leafTable)
    for index in 0..<page.cellCount {
      var offset = try page.cellOffset(index)
      if bytes[offset] < 0x80, largest >= 0x80 { continue }
      guard let size = Varint.read(bytes, &offset, end: page.usable) else {
        throw MalformedPage(page: number, reason: .payload)
      }
      if size <= UInt64(largest) { continue }
      let cell = try BTreeCell(page, index)
      let rest = cell.payloadSize - cell.local.count
      let mine = OverflowChain(source: old, first: cell.overflow, byteCount: rest)
      let theirs = OverflowChain(source: new, first: cell.overflow, byteCount: rest)
      guard try mine.hasSameBytes(as: theirs, oldChain, newChain) else { return false }
    }
    return true
  }
}
