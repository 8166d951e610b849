extension RowBytes {
  /// Adds values and how many there are.
  mutating func append(values: [CellValue]) {
    append(UInt64(values.count))
    for value in values { append(value) }
  }

  /// Values that were added so.
  func values(at offset: Int) -> [CellValue] {
    bytes.withUnsafeBytes { raw in
      var offset = offset
      let count = Int(Self.word(raw, &offset))
      return (0..<count).map { _ in Self.value(raw, &offset) ?? .null }
    }
  }

  /// Where the values end that were added so.
  func end(at offset: Int) -> Int {
    bytes.withUnsafeBytes { raw in
      var offset = offset
      for _ in 0..<Self.word(raw, &offset) {
        let kind = raw[offset]
        offset += 1
        let size = Self.isOfBytes(kind) ? Int(Self.word(raw, &offset)) : kind == 0 ? 0 : 8
        offset += size
      }
      return offset
    }
  }

  /// How two lists of values in bytes compare, as `CellValue.rank` tells; nothing is decoded.
  static func rank(
    _ one: UnsafeRawBufferPointer, _ first: Int, _ other: UnsafeRawBufferPointer, _ second: Int
  ) -> Int {
    let rank = rank(ofKeys: one, first, other, second)
    if rank != 0 { return rank }
    var (a, b) = (first, second)
    let (count, otherCount) = (word(one, &a), word(other, &b))
    if count != otherCount { return count < otherCount ? -1 : 1 }
    for _ in 0..<count {
      let rank = exactRank(one, &a, other, &b)
      if rank != 0 { return rank }
    }
    return 0
  }

  /// How two keys of as many columns compare in SQLite, to which 1 and 1.0 are one key.
  static func rank(
    ofKeys one: UnsafeRawBufferPointer, _ first: Int, _ other: UnsafeRawBufferPointer,
    _ second: Int
  ) -> Int {
    var (a, b) = (first, second)
    for _ in 0..<min(word(one, &a), word(other, &b)) {
      let rank = valueRank(one, &a, other, &b)
      if rank != 0 { return rank }
    }
    return 0
  }

  private static func valueRank(
    _ one: UnsafeRawBufferPointer, _ a: inout Int, _ other: UnsafeRawBufferPointer, _ b: inout Int
  ) -> Int {
    let kind = one[a]
    guard kind == other[b], isOfBytes(kind) else {
      return (value(one, &a) ?? .null).rank(against: value(other, &b) ?? .null)
    }
    return bytesRank(one, &a, other, &b)
  }

  /// Compares values that rank alike: those of other kinds, and 0.0 and -0.0, are not the same.
  private static func exactRank(
    _ one: UnsafeRawBufferPointer, _ a: inout Int, _ other: UnsafeRawBufferPointer, _ b: inout Int
  ) -> Int {
    let (kind, otherKind) = (one[a], other[b])
    if kind == otherKind, isOfBytes(kind) { return bytesRank(one, &a, other, &b) }
    let (left, right) = (value(one, &a) ?? .null, value(other, &b) ?? .null)
    if left == right { return 0 }
    if kind != otherKind { return kind < otherKind ? -1 : 1 }
    guard case .real(let x) = left, case .real(let y) = right else { return 0 }
    return x.bitPattern < y.bitPattern ? -1 : 1
  }

  private static func bytesRank(
    _ one: UnsafeRawBufferPointer, _ a: inout Int, _ other: UnsafeRawBufferPointer, _ b: inout Int
  ) -> Int {
    a += 1
    b += 1
    let (count, otherCount) = (Int(word(one, &a)), Int(word(other, &b)))
    defer {
      a += count
      b += otherCount
    }
    var place = 0
    let common = min(count, otherCount)
    while place + 8 <= common {
      let x = one.loadUnaligned(fromByteOffset: a + place, as: UInt64.self)
      let y = other.loadUnaligned(fromByteOffset: b + place, as: UInt64.self)
      if x != y { return x.bigEndian < y.bigEndian ? -1 : 1 }
      place += 8
    }
    while place < common {
      if one[a + place] != other[b + place] { return one[a + place] < other[b + place] ? -1 : 1 }
      place += 1
    }
    return count == otherCount ? 0 : (count < otherCount ? -1 : 1)
  }
}
