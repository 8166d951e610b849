/// Reads what can be read of a damaged database: every page is looked at once, and what is wrong is passed over.
final class Salvage {
  let source: any PageSource
  let text: StoredText
  /// The pages that belong to a tree, or that are free.
  private(set) var used: PageSet
  /// Rows that could not be read.
  var lostRows = 0
  private let reader: PayloadReader
  private var decoder: RecordDecoder
  private static let deepest = 40

  /// A row as the pages have it.
  struct Row {
    let page: UInt32
    let rowid: Int64
    let values: [CellValue]
  }

  init(_ source: any PageSource, _ text: StoredText) {
    self.source = source
    self.text = text
    used = PageSet(pageCount: source.pageCount)
    reader = PayloadReader(source)
    decoder = RecordDecoder(text: text)
  }

  /// A page, if it is one of a b-tree; nil for anything else.
  ///
  /// - Throws: What the source throws when it cannot be read.
  func page(_ number: UInt32, in buffer: PageBuffer) throws -> BTreePage? {
    do {
      try source.readPage(number, into: buffer)
      return try BTreePage(number: number, bytes: buffer.readable, usable: source.usableSize)
    } catch is MalformedPage {
      return nil
    }
  }

  /// Hands out the rows of a tree; a page that is not one of it is passed over.
  func forEachRow(
    root: UInt32, isTable: Bool, depth: Int = 0, _ body: (Row) throws -> Void
  ) throws {
    let buffer = PageBuffer(byteCount: source.pageSize)
    guard depth < Self.deepest, let page = try page(root, in: buffer), page.isTable == isTable,
      used.insert(root)
    else { return }
    for index in 0..<page.cellCount {
      if !page.isLeaf, let child = try? page.leftChild(index) {
        try forEachRow(root: child, isTable: isTable, depth: depth + 1, body)
      }
      if page.isLeaf || !isTable, let row = try row(page, index) { try body(row) }
    }
    guard !page.isLeaf else { return }
    try forEachRow(root: page.rightChild, isTable: isTable, depth: depth + 1, body)
  }

  /// Hands out the rows of the table pages that belong to no tree.
  func forEachOrphan(_ body: (Row) throws -> Void) throws {
    let buffer = PageBuffer(byteCount: source.pageSize)
    for number in 1...UInt32(source.pageCount) where !used.contains(number) {
      guard let page = try page(number, in: buffer), page.kind == .leafTable else { continue }
      for index in 0..<page.cellCount {
        if let row = try row(page, index) { try body(row) }
      }
    }
  }

  /// Takes the pages of the freelist out of what is looked at: their rows were deleted.
  func passOverFreelist(from first: UInt32) throws {
    let buffer = PageBuffer(byteCount: source.pageSize)
    var trunk = first
    while trunk >= 1, Int(trunk) <= source.pageCount, used.insert(trunk) {
      try source.readPage(trunk, into: buffer)
      let count = min(Int(BTreePage.word(buffer.readable, 4)), source.usableSize / 4 - 2)
      for leaf in 0..<max(0, count) { used.insert(BTreePage.word(buffer.readable, 8 + 4 * leaf)) }
      trunk = BTreePage.word(buffer.readable, 0)
    }
  }

  private func row(_ page: BTreePage, _ index: Int) throws -> Row? {
    do {
      let cell = try BTreeCell(page, index)
      let values = try reader.withPayload(cell) { bytes in
        try decoder.open(bytes, page: page.number)
        return (0..<decoder.count).map { decoder.value(at: $0) }
      }
      return values.isEmpty ? nil : Row(page: page.number, rowid: cell.rowid, values: values)
    } catch is MalformedPage {
      lostRows += 1
      return nil
    }
  }
}
