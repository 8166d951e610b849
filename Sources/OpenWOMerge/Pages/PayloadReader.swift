/// Brings the parts of a record together.
final class PayloadReader {
  private let source: any PageSource
  private let pageBuffer: PageBuffer
  private var assembled: [UInt8] = []

  init(_ source: any PageSource) {
    self.source = source
    pageBuffer = PageBuffer(byteCount: source.pageSize)
  }

  /// Hands over the whole record in one piece; the bytes are valid during the call only.
  func withPayload<T>(_ cell: BTreeCell, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
    if cell.overflow == 0 { return try body(cell.local) }
    assembled.removeAll(keepingCapacity: assembled.capacity <= 1 << 20)
    assembled.append(contentsOf: cell.local)
    try chain(of: cell).forEachPage(buffer: pageBuffer) { _, bytes in
      assembled.append(contentsOf: bytes)
      return true
    }
    return try assembled.withUnsafeBytes(body)
  }

  /// Whether two rows have byte for byte the same record; nothing is copied.
  func hasSameRecord(_ cell: BTreeCell, as other: BTreeCell, of reader: PayloadReader) throws
    -> Bool
  {
    guard cell.payloadSize == other.payloadSize else { return false }
    if cell.local.count != other.local.count {
      return try withPayload(cell) { mine in
        try reader.withPayload(other) { theirs in sameBytes(mine, theirs) }
      }
    }
    guard sameBytes(cell.local, other.local) else { return false }
    if cell.overflow == 0 { return true }
    return try chain(of: cell).hasSameBytes(
      as: reader.chain(of: other), pageBuffer, reader.pageBuffer)
  }

  /// The part of the record that lies on overflow pages.
  func chain(of cell: BTreeCell) -> OverflowChain {
    OverflowChain(
      source: source, first: cell.overflow, byteCount: cell.payloadSize - cell.local.count)
  }
}
