/// Walks once through a payload `pages` and makes its index; see ``PagesPayload``.
struct PagesScan {
  /// More than the head and than the longest list of pages in a unit.
  private static let windowSize = 4096

  let grid: PageGrid
  let baseSize, newSize: Int64
  private(set) var pages: [UInt32] = []
  private(set) var units: [PagesIndex.Unit] = []

  private let payload: any ContentSource
  private let lastPage: Int
  private let window = PageBuffer(byteCount: windowSize)
  private var place = Int64(PagesPayload.headCount)

  /// Reads the head.
  init(_ payload: any ContentSource) throws {
    self.payload = payload
    let head = window.bytes(try payload.read(at: 0, into: window.bytes(PagesPayload.headCount)))
    var reader = ByteReader(UnsafeRawBufferPointer(head))
    guard try reader.take(PagesPayload.magic.count).elementsEqual(PagesPayload.magic) else {
      throw HistoryError.malformed("the payload is none of pages")
    }
    grid = PageGrid(pageSize: Int(try reader.takeFixed(UInt32.self)))
    baseSize = try reader.takeFixed(Int64.self)
    newSize = try reader.takeFixed(Int64.self)
    guard ContentFacts.isPageSize(grid.pageSize), 0...ContentFacts.byteLimit ~= baseSize,
      0...ContentFacts.byteLimit ~= newSize, grid.count(newSize) <= PagesPayload.lastPage,
      grid.count(baseSize) <= PagesPayload.lastPage
    else { throw HistoryError.malformed("the pages have implausible sizes") }
    lastPage = grid.count(newSize)
  }

  /// Notes the next unit; false at the end of the payload.
  mutating func takeUnit() throws -> Bool {
    let known = window.bytes(try payload.read(at: place, into: window.bytes(Self.windowSize)))
    var reader = ByteReader(UnsafeRawBufferPointer(known))
    let pageCount = try reader.takeNumber()
    if pageCount == 0 {
      guard place + Int64(reader.place) == payload.size else {
        throw HistoryError.damaged("there are bytes after the pages")
      }
      return false
    }
    guard 1...PagesPayload.pagesInUnit(grid.pageSize) ~= pageCount else {
      throw HistoryError.malformed("a unit has no proper number of pages")
    }
    let firstPage = pages.count
    for _ in 0..<pageCount {
      let step = try reader.takeNumber()
      let before = Int(pages.last ?? 0)
      guard 1...max(lastPage - before, 1) ~= step, before < lastPage else {
        throw HistoryError.malformed("a page is out of order or past the end")
      }
      pages.append(UInt32(before + step))
    }
    let byteCount = try reader.takeNumber()
    let offset = place + Int64(reader.place)
    let limit = 2 * PagesPayload.unpackedLimit(pages: pageCount, pageSize: grid.pageSize)
    guard 1...limit ~= byteCount, Int64(byteCount) <= payload.size - offset else {
      throw HistoryError.damaged("the pages end too early")
    }
    units.append(
      PagesIndex.Unit(
        firstPage: firstPage, pageCount: pageCount, offset: offset, byteCount: byteCount))
    place = offset + Int64(byteCount)
    return true
  }
}
