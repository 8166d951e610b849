/// The leaves of one b-tree in key order, found from its interior pages alone; for an index b-tree
/// the rows on its interior pages too, at their place.
struct TreeWalk {
  /// A leaf, or one row of an interior page.
  struct Step {
    let page: UInt32
    /// Which cell of an interior page; nil for a whole leaf.
    let cell: UInt16?
  }

  private(set) var steps: [Step] = []
  private(set) var leaves: PageSet
  private(set) var interior: PageSet
  private let source: any PageSource
  private let isTable: Bool
  private static let deepest = 20

  /// Walks the tree at `root`: one of a table with rowids, or (`isTable` false) an index b-tree.
  init(_ source: any PageSource, root: UInt32, isTable: Bool) throws {
    self.source = source
    self.isTable = isTable
    leaves = PageSet(pageCount: source.pageCount)
    interior = PageSet(pageCount: source.pageCount)
    guard root >= 1 else { throw MalformedPage(page: root, reason: .outOfRange) }
    if try isLeaf(root) { try addLeaf(root) } else { try descend(root, depth: 0) }
  }

  private mutating func descend(_ number: UInt32, depth: Int) throws {
    guard depth < Self.deepest else { throw MalformedPage(page: number, reason: .depth) }
    let buffer = PageBuffer(byteCount: source.pageSize)
    try source.readPage(number, into: buffer)
    let page = try BTreePage(number: number, bytes: buffer.readable, usable: source.usableSize)
    guard page.kind == (isTable ? .interiorTable : .interiorIndex) else {
      throw MalformedPage(page: number, reason: .kind)
    }
    guard interior.insert(number) else { throw MalformedPage(page: number, reason: .cycle) }
    // The tree is balanced: all children are of the first child's kind. Their reader checks again.
    let bottom = try isLeaf(page.cellCount > 0 ? page.leftChild(0) : page.rightChild)
    for index in 0..<page.cellCount {
      let child = try page.leftChild(index)
      if bottom { try addLeaf(child) } else { try descend(child, depth: depth + 1) }
      if !isTable { steps.append(Step(page: number, cell: UInt16(index))) }
    }
    let last = page.rightChild
    if bottom { try addLeaf(last) } else { try descend(last, depth: depth + 1) }
  }

  private mutating func addLeaf(_ number: UInt32) throws {
    guard number >= 1, Int(number) <= source.pageCount else {
      throw MalformedPage(page: number, reason: .outOfRange)
    }
    guard leaves.insert(number) else { throw MalformedPage(page: number, reason: .cycle) }
    steps.append(Step(page: number, cell: nil))
  }

  private func isLeaf(_ number: UInt32) throws -> Bool {
    let buffer = PageBuffer(byteCount: source.pageSize)
    try source.readPage(number, into: buffer)
    let page = try BTreePage(number: number, bytes: buffer.readable, usable: source.usableSize)
    guard page.kind.isTable == isTable else { throw MalformedPage(page: number, reason: .kind) }
    return page.kind.isLeaf
  }
}
