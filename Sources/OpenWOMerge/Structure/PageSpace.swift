/// Which bytes of one page are taken, a bit each.
struct PageSpace {
  private var words: [UInt64]

  init(pageSize: Int) { words = Array(repeating: 0, count: pageSize / 64 + 1) }

  /// Forgets everything.
  mutating func clear() {
    words.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
  }

  /// Takes a stretch of bytes; false if one of them was taken before.
  @inline(__always)
  mutating func take(from start: Int, to end: Int) -> Bool {
    let (first, last) = (start >> 6, (end - 1) >> 6)
    let head = ~UInt64(0) << UInt64(start & 63)
    let tail = ~UInt64(0) >> UInt64(63 - (end - 1) & 63)
    return words.withUnsafeMutableBufferPointer { words in
      if first == last { return Self.take(&words[first], head & tail) }
      var isFree = Self.take(&words[first], head)
      var word = first + 1
      while word < last {
        isFree = Self.take(&words[word], ~0) && isFree
        word += 1
      }
      return Self.take(&words[last], tail) && isFree
    }
  }

  @inline(__always)
  private static func take(_ word: inout UInt64, _ mask: UInt64) -> Bool {
    let isFree = word & mask == 0
    word |= mask
    return isFree
  }
}
