/// The rows of a database: which of the run's writes it holds, one bit each.
struct Rows: Sendable, Hashable {
  /// A run makes no more writes than this.
  static let limit = 256

  private var words = SIMD4<UInt64>()

  mutating func insert(_ row: Int) { words[row / 64] |= 1 << UInt64(row % 64) }

  func contains(_ row: Int) -> Bool { words[row / 64] >> UInt64(row % 64) & 1 == 1 }

  func isSubset(of other: Rows) -> Bool { words & ~other.words == SIMD4() }

  func union(_ other: Rows) -> Rows {
    var both = self
    both.words |= other.words
    return both
  }

  mutating func formUnion(_ other: Rows) { words |= other.words }

  func subtracting(_ other: Rows) -> Rows {
    var rest = self
    rest.words &= ~other.words
    return rest
  }

  var count: Int { (0..<4).reduce(0) { $0 + words[$1].nonzeroBitCount } }

  var isEmpty: Bool { words == SIMD4() }

  /// The rows as numbers.
  var list: [Int] { (0..<Self.limit).filter(contains) }
}
