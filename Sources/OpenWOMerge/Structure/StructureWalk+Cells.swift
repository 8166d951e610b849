/// The cells of a page, and what is behind them.
extension StructureWalk {
  /// Checks the rows of a leaf, and that they do not overlap.
  mutating func checkLeaf(_ page: BTreePage, _ tree: inout Tree) throws {
    try checkFreeBlocks(page)
    for index in 0..<page.cellCount {
      let cell = try BTreeCell(page, index)
      try takeSpace(of: cell, index, page)
      if page.isTable { try checkOrder(cell.rowid, page, &tree) }
      try checkRecord(cell, page)
      if cell.overflow != 0 { try followChain(of: cell) }
    }
    tree.entries += Int64(page.cellCount)
  }

  /// Checks that the cells of an interior page do not overlap.
  mutating func checkSpace(_ page: BTreePage) throws {
    try checkFreeBlocks(page)
    guard page.isTable else {
      for index in 0..<page.cellCount {
        try takeSpace(of: BTreeCell(page, index), index, page)
      }
      return
    }
    for index in 0..<page.cellCount {
      let start = try page.cellOffset(index)
      var end = start + 4
      guard Varint.read(page.bytes, &end, end: page.usable) != nil else {
        throw MalformedPage(page: page.number, reason: .cellPointer)
      }
      guard space.take(from: start, to: end) else { throw Self.overlap(page) }
    }
  }

  /// Checks what is between two children of an interior page.
  mutating func checkSeparator(_ page: BTreePage, _ index: Int, _ tree: inout Tree) throws {
    if page.isTable {
      var at = try page.cellOffset(index) + 4
      guard let key = Varint.read(page.bytes, &at, end: page.usable) else {
        throw MalformedPage(page: page.number, reason: .cellPointer)
      }
      let rowid = Int64(bitPattern: key)
      guard tree.last.map({ $0 <= rowid }) ?? true else { throw Self.disorder(page) }
      tree.last = rowid
    } else {
      let cell = try BTreeCell(page, index)
      try checkRecord(cell, page)
      if cell.overflow != 0 { try followChain(of: cell) }
      tree.entries += 1
    }
  }

  @inline(__always)
  private func checkOrder(_ rowid: Int64, _ page: BTreePage, _ tree: inout Tree) throws {
    guard tree.last.map({ $0 < rowid }) ?? true else { throw Self.disorder(page) }
    tree.last = rowid
  }

  private mutating func takeSpace(
    of cell: BTreeCell, _ index: Int, _ page: BTreePage
  ) throws {
    let start = try page.cellOffset(index)
    guard let base = page.bytes.baseAddress, let local = cell.local.baseAddress else {
      throw MalformedPage(page: page.number, reason: .payload)
    }
    let end = local - base + cell.local.count + (cell.overflow == 0 ? 0 : 4)
    // A cell has four bytes at least, so that it can be freed.
    let least = min(max(end, start + 4), page.usable)
    guard space.take(from: start, to: least) else { throw Self.overlap(page) }
  }

  /// Begins the space of a page with the blocks that are free in it.
  private mutating func checkFreeBlocks(_ page: BTreePage) throws {
    space.clear()
    let start = page.number == 1 ? 100 : 0
    _ = space.take(from: start, to: start + (page.isLeaf ? 8 : 12) + 2 * page.cellCount)
    var block = half(page.bytes, start + 1)
    while block != 0 {
      guard block + 4 <= page.usable else { throw Self.overlap(page) }
      let (next, size) = (half(page.bytes, block), half(page.bytes, block + 2))
      guard size >= 4, block + size <= page.usable, next == 0 || next > block,
        space.take(from: block, to: block + size)
      else { throw Self.overlap(page) }
      block = next
    }
  }

  private func half(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int {
    Int(bytes[at]) << 8 | Int(bytes[at + 1])
  }

  /// Checks that a record's values fill it.
  private func checkRecord(_ cell: BTreeCell, _ page: BTreePage) throws {
    let (bytes, fault) = (cell.local, MalformedPage(page: page.number, reason: .header))
    var at = 0
    guard cell.payloadSize > 0, let size = Varint.read(bytes, &at, end: bytes.count) else {
      throw fault
    }
    // Most of a header that is longer than the page is elsewhere.
    if size > UInt64(bytes.count), size <= UInt64(cell.payloadSize) { return }
    // SQLite takes a header without bytes for a row of NULLs.
    if size == 0 { return }
    guard size >= UInt64(at), size <= UInt64(cell.payloadSize) else { throw fault }
    var end = Int(size)
    while at < Int(size) {
      guard let type = Varint.read(bytes, &at, end: Int(size)), type < 1 << 41 else { throw fault }
      end += type < 12 ? Self.length(ofType: type) : Int(type - 12) / 2
    }
    guard page.isTable ? end == cell.payloadSize : end <= cell.payloadSize else { throw fault }
  }

  @inline(__always)
  private static func length(ofType type: UInt64) -> Int {
    // Four bits each: 0, 1, 2, 3, 4, 6, 8, 8, and no bytes for the constants.
    Int(0x8864_3210 &>> (Int(type) &<< 2) & 0xF)
  }

  /// Marks the pages of a long row.
  private mutating func followChain(of cell: BTreeCell) throws {
    var (page, left, ahead) = (cell.overflow, cell.payloadSize - cell.local.count, 1)
    let share = source.usableSize - 4
    while left > 0 {
      guard page != 0 else { throw MalformedPage(page: cell.overflow, reason: .overflow) }
      try mark(page)
      let wanted = min(ahead, (left + share - 1) / share)
      let next = BTreePage.word(try chainWindow.page(page, ahead: wanted), 0)
      ahead = next == page &+ 1 ? min(2 * ahead, chainWindow.capacity) : 1
      page = next
      left -= share
    }
    // SQLite ends a chain with a zero; another page in its place ends it otherwise.
    guard page == 0 else { throw MalformedPage(page: cell.overflow, reason: .overflow) }
  }

  private static func overlap(_ page: BTreePage) -> Structure.Fault {
    Structure.Fault("page \(page.number) has rows that overlap")
  }

  private static func disorder(_ page: BTreePage) -> Structure.Fault {
    Structure.Fault("the rows on page \(page.number) are not in order")
  }
}
