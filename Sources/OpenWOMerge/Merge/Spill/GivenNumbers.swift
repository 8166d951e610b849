/// New rows of one side and the numbers that they were given in place of their own, in order of their own.
struct GivenNumbers {
  let side: MergeSide
  private(set) var from: [Int64] = []
  private(set) var to: [Int64] = []

  init(_ side: MergeSide) { self.side = side }

  /// Adds a row with a higher number than those before.
  mutating func append(_ number: Int64, _ given: Int64) {
    from.append(number)
    to.append(given)
  }

  /// The number that a row was given; nil if it has kept its own.
  func number(of own: Int64) -> Int64? { Self.index(of: own, in: from).map { to[$0] } }

  /// Whether a row was given this number.
  func has(new number: Int64) -> Bool { Self.index(of: number, in: to) != nil }

  private static func index(of number: Int64, in numbers: [Int64]) -> Int? {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < numbers.count && numbers[low] == number ? low : nil
  }
}

extension TableMerge {
  /// Gives new rows of a side other numbers, in the order of their own: rows in memory, at these places among the changes, and plain ones.
  func give(
    to rows: [(number: Int64, place: Int)], and plainNumbers: [Int64], of side: MergeSide,
    _ nextRowid: () throws -> Int64, _ body: (Int64, Int, Int64) -> Void
  ) throws {
    var rows = rows[...]
    var given = GivenNumbers(side)
    for number in plainNumbers {
      while let row = rows.first, row.number < number {
        body(row.number, row.place, try nextRowid())
        rows.removeFirst()
      }
      given.append(number, try nextRowid())
    }
    for row in rows { body(row.number, row.place, try nextRowid()) }
    if !plainNumbers.isEmpty { plain?.renumbered.append(given) }
  }
}
