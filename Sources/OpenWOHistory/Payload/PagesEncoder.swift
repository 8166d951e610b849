/// Writes the payload `pages`; see ``PagesPayload``.
struct PagesEncoder {
  private let grid: PageGrid
  private let base, new: any ContentSource
  private let write: ([UInt8]) throws -> Void
  private var delta = PageDeltaEncoder()
  private var pages: [UInt32] = []
  private var steps: [UInt8] = []
  private var lastWritten: UInt32 = 0

  /// Writes what makes `new` out of `base`.
  ///
  /// - Parameters:
  ///   - changed: The pages that may differ, from 1, in any order. Pages that turn out equal are left out, and those
  ///     that do not lie wholly in the old content are put in.
  ///   - base: The old content.
  ///   - new: The new content.
  ///   - pageSize: The bytes in a page.
  ///   - write: Takes the payload piece by piece.
  /// - Throws: What `base`, `new` and `write` throw.
  static func encode(
    changed: some Sequence<UInt32>, from base: any ContentSource, to new: any ContentSource,
    pageSize: Int,
    write: ([UInt8]) throws -> Void
  ) throws {
    try withoutActuallyEscaping(write) { write in
      var encoder = PagesEncoder(
        grid: PageGrid(pageSize: pageSize), base: base, new: new, write: write)
      try encoder.encode(changed)
    }
  }

  private init(
    grid: PageGrid, base: any ContentSource, new: any ContentSource,
    write: @escaping ([UInt8]) throws -> Void
  ) {
    (self.grid, self.base, self.new, self.write) = (grid, base, new, write)
  }

  private mutating func encode(_ changed: some Sequence<UInt32>) throws {
    guard grid.count(new.size) <= PagesPayload.lastPage else {
      throw HistoryError.malformed("the database has more pages than SQLite knows")
    }
    var head = PagesPayload.magic
    head.append(fixed: UInt32(grid.pageSize))
    head.append(fixed: base.size)
    head.append(fixed: new.size)
    try write(head)
    let last = UInt32(grid.count(new.size))
    let added = grid.added(from: base.size, to: new.size)
    let listed = Set(changed.lazy.filter { 0 < $0 && $0 <= last && !added.contains($0) })
    for page in listed.sorted() { try add(page) }
    for page in added { try add(page) }
    try closeUnit()
    try write([0])
  }

  private mutating func add(_ page: UInt32) throws {
    let (new, base) = (try bytes(of: page, from: new), try bytes(of: page, from: base))
    let isEqual = new.withUnsafeBytes { new in
      base.withUnsafeBytes { base in
        if new.count == base.count, sharedCount(new, base) == new.count { return true }
        delta.append(new, basedOn: base, to: &steps)
        return false
      }
    }
    if isEqual { return }
    pages.append(page)
    if pages.count == PagesPayload.pagesInUnit(grid.pageSize) { try closeUnit() }
  }

  private func bytes(of page: UInt32, from source: any ContentSource) throws -> [UInt8] {
    let count = grid.bytes(of: page, in: source.size)
    var bytes = [UInt8](repeating: 0, count: count)
    if count > 0 { try bytes.withUnsafeMutableBytes { try source.fill($0, at: grid.offset(page)) } }
    return bytes
  }

  private mutating func closeUnit() throws {
    guard !pages.isEmpty else { return }
    var unit: [UInt8] = []
    unit.append(number: pages.count)
    for page in pages {
      unit.append(number: Int(page - lastWritten))
      lastWritten = page
    }
    let packed = try Deflate.pack(steps)
    unit.append(number: packed.count)
    try write(unit + packed)
    pages.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }
}
