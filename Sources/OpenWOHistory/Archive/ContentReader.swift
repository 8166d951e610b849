/// Reads any part of a stored content without writing it out: a full payload, with the pages of later ones over it.
///
/// It keeps its files open, so it can still read when files are removed. It does not check the
/// content hash, which covers the whole; ``Archive/materialize(_:to:in:)`` does that.
package final class ContentReader: ContentSource {
  /// The content that is read.
  package let content: ContentHash
  /// The number of bytes.
  package let size: Int64

  private struct UnitPlace: Hashable {
    let layer, unit: Int
  }

  /// How many unpacked units are kept: no more than 8 MiB.
  private static let mostUnits = 64

  private let bottom: any ContentSource
  private let layers: [PagesLayer]
  private let grid: PageGrid
  /// The units that were unpacked last: reading in order, none is unpacked twice, and few are when a b-tree is followed.
  private var recent: [UnitPlace: PagesLayer.Unpacked] = [:]
  /// The same in the order in which they came, the oldest at `oldest`.
  private var arrivals: [UnitPlace] = []
  private var oldest = 0
  private var page, spare: PageBuffer

  /// Puts layers over a content, the oldest first.
  ///
  /// - Throws: ``HistoryError/malformed(_:)`` when the sizes do not fit each other.
  init(_ content: ContentHash, bottom: any ContentSource, layers: [PagesLayer]) throws {
    self.content = content
    (self.bottom, self.layers) = (bottom, layers)
    size = layers.last?.index.newSize ?? bottom.size
    grid = layers.last?.index.grid ?? PageGrid(pageSize: BlockDigests.blockSize)
    (page, spare) = (PageBuffer(byteCount: grid.pageSize), PageBuffer(byteCount: grid.pageSize))
    var below = bottom.size
    for layer in layers {
      guard layer.index.baseSize == below, layer.index.grid == grid else {
        throw HistoryError.malformed("the pages do not fit the content they are based on")
      }
      below = layer.index.newSize
    }
  }

  /// Reads from an offset until the buffer is full or the content ends.
  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard 0..<size ~= offset else { return 0 }
    let end = min(size, offset + Int64(buffer.count))
    var place = offset
    while place < end {
      let number = UInt32(place / Int64(grid.pageSize)) + 1
      let next = nextChanged(from: number)
      let start = Int(place - offset)
      if next == number {
        let made = UnsafeRawBufferPointer(try make(number))
        let skipped = Int(place - grid.offset(number))
        let count = min(made.count - skipped, Int(end - place))
        buffer[start...].copyBytes(from: made[skipped..<skipped + count])
        place += Int64(count)
      } else {
        let stop = min(end, next.map(grid.offset) ?? end)
        let count = Int(stop - place)
        try bottom.fill(
          UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + count]), at: place)
        place = stop
      }
    }
    return Int(end - offset)
  }

  /// The first page, not before the given one, that a layer changes.
  private func nextChanged(from page: UInt32) -> UInt32? {
    var next: UInt32?
    for layer in layers {
      let place = layer.index.place(from: page)
      guard place < layer.index.pages.count else { continue }
      next = min(next ?? .max, layer.index.pages[place])
    }
    return next
  }

  /// Makes a page by going up through the layers; valid until the next page is made.
  private func make(_ number: UInt32) throws -> UnsafeMutableRawBufferPointer {
    let start = page.bytes(grid.bytes(of: number, in: bottom.size))
    if !start.isEmpty { try bottom.fill(start, at: grid.offset(number)) }
    for (level, layer) in layers.enumerated() {
      let place = layer.index.place(from: number)
      guard place < layer.index.pages.count, layer.index.pages[place] == number else { continue }
      let unit = layer.index.unit(holding: place)
      let unpacked = try unpacked(layer: level, unit: unit)
      let below = page.bytes(grid.bytes(of: number, in: layer.index.baseSize))
      try layer.apply(
        place, of: unpacked, inUnit: unit, to: UnsafeRawBufferPointer(below),
        making: spare.bytes(grid.bytes(of: number, in: layer.index.newSize)))
      swap(&page, &spare)
    }
    return page.bytes(grid.bytes(of: number, in: size))
  }

  private func unpacked(layer: Int, unit: Int) throws -> PagesLayer.Unpacked {
    let place = UnitPlace(layer: layer, unit: unit)
    if let known = recent[place] { return known }
    let unpacked = try layers[layer].unpack(unit: unit)
    if arrivals.count < Self.mostUnits {
      arrivals.append(place)
    } else {
      recent[arrivals[oldest]] = nil
      arrivals[oldest] = place
      oldest = (oldest + 1) % arrivals.count
    }
    recent[place] = unpacked
    return unpacked
  }
}
