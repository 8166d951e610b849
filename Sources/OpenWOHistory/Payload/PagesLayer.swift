/// One payload `pages`, ready to change single pages of the content below it.
struct PagesLayer {
  let index: PagesIndex
  private let payload: any ContentSource

  /// The steps of the pages of one unit.
  struct Unpacked {
    fileprivate let steps: [UInt8]
    fileprivate let starts: [Int]
  }

  /// Reads the index of a payload.
  init(_ payload: any ContentSource, newSize: Int64) throws {
    index = try PagesIndex(payload, newSize: newSize)
    self.payload = payload
  }

  /// Unpacks one unit.
  func unpack(unit number: Int) throws -> Unpacked {
    let unit = index.units[number]
    let pageSize = index.grid.pageSize
    var packed = [UInt8](repeating: 0, count: unit.byteCount)
    try packed.withUnsafeMutableBytes { try payload.fill($0, at: unit.offset) }
    let steps = try Deflate.unpack(
      packed, limit: PagesPayload.unpackedLimit(pages: unit.pageCount, pageSize: pageSize))
    var starts: [Int] = []
    try steps.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      for place in unit.firstPage..<unit.firstPage + unit.pageCount {
        starts.append(reader.place)
        let size = index.grid.bytes(of: index.pages[place], in: index.newSize)
        try PageDelta.skip(&reader, pageSize: size)
      }
      guard reader.isAtEnd else {
        throw HistoryError.malformed("a unit has bytes after its pages")
      }
    }
    return Unpacked(steps: steps, starts: starts)
  }

  /// Rebuilds the page at a place in the list.
  func apply(
    _ place: Int, of unpacked: Unpacked, inUnit number: Int, to base: UnsafeRawBufferPointer,
    making page: UnsafeMutableRawBufferPointer
  ) throws {
    let start = unpacked.starts[place - index.units[number].firstPage]
    try unpacked.steps.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, from: start)
      try PageDelta.apply(&reader, to: base, making: page)
    }
  }
}
