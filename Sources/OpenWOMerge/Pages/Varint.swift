/// SQLite's variable-length integers, https://sqlite.org/fileformat2.html#varint.
enum Varint {
  /// Reads the one at `offset` and moves `offset` past it; nil if it would pass `end`.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int, end: Int) -> UInt64? {
    guard offset < end else { return nil }
    let first = bytes[offset]
    if first < 0x80 {
      offset += 1
      return UInt64(first)
    }
    return readLong(bytes, &offset, end: end)
  }

  private static func readLong(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, end: Int
  ) -> UInt64? {
    var value: UInt64 = 0
    for _ in 0..<8 {
      guard offset < end else { return nil }
      let byte = bytes[offset]
      offset += 1
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
    guard offset < end else { return nil }
    value = value << 8 | UInt64(bytes[offset])
    offset += 1
    return value
  }
}
