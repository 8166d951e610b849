/// The index of a payload `pages`, read without unpacking anything.
struct PagesIndex {
  /// A piece of the payload that is unpacked as a whole.
  struct Unit {
    /// The place of its first page among all pages.
    let firstPage: Int
    let pageCount: Int
    let offset: Int64
    let byteCount: Int
  }

  let grid: PageGrid
  let baseSize, newSize: Int64
  /// The pages that the payload tells, in ascending order.
  let pages: [UInt32]
  let units: [Unit]

  /// Reads the head and the lists of pages, in memory that the number of pages bounds.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - newSize: The size that the new content must have.
  /// - Throws: ``HistoryError`` for a payload that is not whole, and what reading it throws.
  init(_ payload: some ContentSource, newSize: Int64) throws {
    var scan = try PagesScan(payload)
    guard scan.newSize == newSize else {
      throw HistoryError.malformed("the pages make a database of another size")
    }
    while try scan.takeUnit() {}
    (grid, baseSize, self.newSize) = (scan.grid, scan.baseSize, newSize)
    (pages, units) = (scan.pages, scan.units)
    let added = grid.added(from: baseSize, to: newSize)
    guard pages.suffix(added.count).elementsEqual(added) else {
      throw HistoryError.malformed("pages are missing that the old content has not")
    }
  }

  /// The place of the first listed page that is not before the given one.
  func place(from page: UInt32) -> Int {
    var (low, high) = (0, pages.count)
    while low < high {
      let middle = (low + high) / 2
      if pages[middle] < page { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The unit that holds the page at a place in the list.
  func unit(holding place: Int) -> Int {
    var (low, high) = (0, units.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if units[middle].firstPage <= place { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
