/// Goes over the rows of one b-tree in key order, passing over the leaves it is told to skip.
final class TreeCursor {
  /// The place of a row, to find it again.
  struct Place {
    let page: UInt32
    let cell: UInt16
  }

  let source: any PageSource
  private let steps: [TreeWalk.Step]
  private let skipped: PageSet
  private var step = 0
  private var page: BTreePage?
  private var cell = 0
  private var cellEnd = 0
  private let leafWindow: PageWindow
  private let interiorWindow: PageWindow
  private(set) var current: BTreeCell?
  private(set) var place = Place(page: 0, cell: 0)

  init(_ walk: TreeWalk, source: any PageSource, skipping skipped: PageSet) {
    self.source = source
    steps = walk.steps
    self.skipped = skipped
    leafWindow = PageWindow(source, byteCount: max(source.pageSize, 128 * 1024))
    interiorWindow = PageWindow(source, byteCount: source.pageSize)
  }

  /// Moves to the next row and returns it; nil after the last.
  ///
  /// Its bytes are valid until the next call.
  @inline(__always)
  func next() throws -> BTreeCell? {
    while cell >= cellEnd {
      guard try nextStep() else {
        current = nil
        return nil
      }
    }
    guard let page else { return nil }
    let row = try BTreeCell(page, cell)
    place = Place(page: page.number, cell: UInt16(cell))
    cell += 1
    current = row
    return row
  }

  private func nextStep() throws -> Bool {
    while step < steps.count {
      let now = steps[step]
      step += 1
      if let index = now.cell {
        try open(now.page, in: interiorWindow, ahead: 1)
        guard let page, Int(index) < page.cellCount else {
          throw MalformedPage(page: now.page, reason: .cellPointer)
        }
        cell = Int(index)
        cellEnd = cell + 1
        return true
      }
      if skipped.contains(now.page) { continue }
      try open(now.page, in: leafWindow, ahead: runLength(from: now.page))
      guard let page, page.kind.isLeaf else {
        throw MalformedPage(page: now.page, reason: .kind)
      }
      cell = 0
      cellEnd = page.cellCount
      if cellEnd > 0 { return true }
    }
    return false
  }

  private func open(_ number: UInt32, in window: PageWindow, ahead: Int) throws {
    let bytes = try window.page(number, ahead: ahead)
    page = try BTreePage(number: number, bytes: bytes, usable: source.usableSize)
  }

  /// How many leaves, in the order to come, lie one behind the other from `page` on.
  private func runLength(from page: UInt32) -> Int {
    var run = 1
    var index = step
    let most = leafWindow.capacity
    while run < most, index < steps.count {
      let ahead = steps[index]
      index += 1
      if ahead.cell != nil { continue }
      guard ahead.page == page &+ UInt32(run), !skipped.contains(ahead.page) else { break }
      run += 1
    }
    return run
  }
}
