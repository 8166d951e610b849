/// A set of rows, each of which is a word with a number.
struct Rows: Hashable, Sendable {
  /// More rows than a run can have.
  static let limit = 512
  private var words = SIMD8<UInt64>()

  var isEmpty: Bool { words == SIMD8() }
  var numbers: [Int] { (0..<Self.limit).filter(contains) }

  func contains(_ row: Int) -> Bool { words[row / 64] >> (row % 64) & 1 == 1 }
  mutating func insert(_ row: Int) { words[row / 64] |= 1 << (row % 64) }
  mutating func remove(_ row: Int) { words[row / 64] &= ~(1 << (row % 64)) }
  mutating func formUnion(_ other: Rows) { words |= other.words }
  func union(_ other: Rows) -> Rows {
    var all = self
    all.formUnion(other)
    return all
  }
  func intersection(_ other: Rows) -> Rows {
    var both = self
    both.words &= other.words
    return both
  }
  func subtracting(_ other: Rows) -> Rows {
    var rest = self
    rest.words &= ~other.words
    return rest
  }
}
