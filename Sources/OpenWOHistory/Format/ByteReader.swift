/// Takes numbers and bytes from the front of memory that may hold anything.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The place of the next byte.
  private(set) var place: Int

  init(_ bytes: UnsafeRawBufferPointer, from place: Int = 0) {
    self.bytes = bytes
    self.place = place
  }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take(_ count: Int) throws(HistoryError) -> UnsafeRawBufferPointer {
    guard 0...(bytes.count - place) ~= count else { throw .damaged("the pages end too early") }
    defer { place += count }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + count])
  }

  /// A number of a fixed width, its lowest byte first.
  mutating func takeFixed<Number: FixedWidthInteger>(
    _ type: Number.Type
  ) throws(HistoryError) -> Number {
    Number(
      littleEndian: try take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
  }

  /// A number in seven bits a byte, the lowest first; a set top bit means that more follow.
  mutating func takeNumber() throws(HistoryError) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) {
      let byte = try take(1)[0]
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw .malformed("a number in the pages is too large")
  }
}

extension [UInt8] {
  /// Appends a number of a fixed width, its lowest byte first.
  mutating func append(fixed value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number as ``ByteReader/takeNumber()`` takes it.
  mutating func append(number value: Int) {
    var rest = UInt(value)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
