/// One walk over a database, which ends at the first fault.
struct StructureWalk {
  let source: any PageSource
  private(set) var doubts: [String] = []
  var used: PageSet
  var space: PageSpace
  let chainWindow: PageWindow
  private let window: PageWindow
  /// A page for each level that the walk is in.
  private var levels: [PageBuffer] = []
  private static let deepest = 20

  /// The tree that the walk is in.
  struct Tree {
    let isTable: Bool
    var entries: Int64 = 0
    /// The rowid of the last row, or the last key of an interior page.
    var last: Int64?
    /// How deep the leaves are; nil before the first one.
    var depth: Int?
  }

  init(_ source: any PageSource) {
    self.source = source
    used = PageSet(pageCount: source.pageCount)
    space = PageSpace(pageSize: source.pageSize)
    window = PageWindow(source, byteCount: max(source.pageSize, 128 * 1024))
    chainWindow = PageWindow(source, byteCount: max(source.pageSize, 128 * 1024))
  }

  mutating func run() throws {
    guard source.pageCount > 0 else { throw Structure.Fault("it has no pages") }
    let header = Array(try window.page(1, ahead: 1)[0..<100])
    // SQLite refuses a file with others: https://sqlite.org/fileformat2.html#payload_fractions
    guard header[21...23].elementsEqual([64, 32, 32]), source.usableSize >= 480 else {
      throw Structure.Fault("its header is not that of a database")
    }
    func number(_ at: Int) -> UInt32 { header.withUnsafeBytes { BTreePage.word($0, at) } }
    reservePages(hasMaps: number(52) != 0)
    _ = try walk(1, isTable: true)
    try walkTrees(StoredText(rawValue: UInt8(number(56) & 3)) ?? .utf8)
    try walkFreelist(number(32), counted: number(36))
    let left = (1...source.pageCount).lazy.filter { [used] in !used.contains(UInt32($0)) }
    if let page = left.first { doubts.append("page \(page) is never used") }
  }

  /// Marks the pages that hold no content: where SQLite sets its locks, and the maps of auto_vacuum.
  private mutating func reservePages(hasMaps: Bool) {
    let lockPage = 0x4000_0000 / source.pageSize + 1
    used.insert(UInt32(lockPage))
    guard hasMaps else { return }
    for map in stride(from: 2, through: source.pageCount, by: source.usableSize / 5 + 1) {
      used.insert(UInt32(map == lockPage ? map + 1 : map))
    }
  }

  private mutating func walkTrees(_ text: StoredText) throws {
    let rows = try SchemaRow.all(in: source, text)
    var entries: [String: Int64] = [:]
    for row in rows where row.kind == "table" && row.root > 0 {
      let tree = try walk(row.root, isTable: !row.isWithoutRowID)
      entries[SQLName.folded(row.name)] = tree.entries
    }
    for row in rows where row.kind == "index" && row.root > 0 {
      let tree = try walk(row.root, isTable: false)
      guard let wanted = entries[SQLName.folded(row.table)] else { continue }
      if row.isPartial ? tree.entries > wanted : tree.entries != wanted {
        doubts.append("index \(row.name) has \(tree.entries) entries for \(wanted) rows")
      }
    }
  }

  private mutating func walk(_ root: UInt32, isTable: Bool) throws -> Tree {
    var tree = Tree(isTable: isTable)
    try visit(root, ahead: 1, depth: 0, &tree)
    return tree
  }

  /// Marks a page as used.
  mutating func mark(_ number: UInt32) throws {
    guard number >= 1, Int(number) <= source.pageCount else {
      throw MalformedPage(page: number, reason: .outOfRange)
    }
    guard used.insert(number) else { throw MalformedPage(page: number, reason: .cycle) }
  }

  private mutating func visit(
    _ number: UInt32, ahead: Int, depth: Int, _ tree: inout Tree
  ) throws {
    guard depth < Self.deepest else { throw MalformedPage(page: number, reason: .depth) }
    try mark(number)
    let bytes = try window.page(number, ahead: ahead)
    var page = try BTreePage(number: number, bytes: bytes, usable: source.usableSize)
    guard page.isTable == tree.isTable else { throw MalformedPage(page: number, reason: .kind) }
    if page.isLeaf {
      guard tree.depth ?? depth == depth else { throw MalformedPage(page: number, reason: .depth) }
      tree.depth = depth
      return try checkLeaf(page, &tree)
    }
    if levels.count <= depth { levels.append(PageBuffer(byteCount: source.pageSize)) }
    levels[depth].bytes.copyMemory(from: bytes)
    page = try BTreePage(
      number: number, bytes: levels[depth].readable, usable: source.usableSize)
    try checkSpace(page)
    for index in 0...page.cellCount {
      let child = try index < page.cellCount ? page.leftChild(index) : page.rightChild
      let run = try window.holds(child) ? 1 : runLength(from: index, in: page)
      try visit(child, ahead: run, depth: depth + 1, &tree)
      if index < page.cellCount { try checkSeparator(page, index, &tree) }
    }
  }

  /// How many of a page's children, from one on, are one behind the other in the file.
  private func runLength(from index: Int, in page: BTreePage) throws -> Int {
    var run = 1
    guard index < page.cellCount else { return run }
    let first = try page.leftChild(index)
    while run < window.capacity, index + run <= page.cellCount {
      let next =
        try index + run < page.cellCount ? page.leftChild(index + run) : page.rightChild
      guard next == first &+ UInt32(run) else { break }
      run += 1
    }
    return run
  }

  private mutating func walkFreelist(_ first: UInt32, counted: UInt32) throws {
    var (trunk, count) = (first, 0)
    while trunk != 0 {
      try mark(trunk)
      let bytes = try window.page(trunk, ahead: 1)
      let leaves = Int(BTreePage.word(bytes, 4))
      guard leaves <= source.usableSize / 4 - 2 else {
        throw Structure.Fault("page \(trunk) of the freelist cannot be read")
      }
      for leaf in 0..<leaves { try mark(BTreePage.word(bytes, 8 + 4 * leaf)) }
      count += 1 + leaves
      trunk = BTreePage.word(bytes, 0)
    }
    if count != counted { doubts.append("the freelist has \(count) pages, not \(counted)") }
  }
}
