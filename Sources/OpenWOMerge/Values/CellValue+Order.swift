extension CellValue {
  /// How `self` compares to `other` in SQLite's order with BINARY text: NULL, numbers, text, blobs.
  ///
  /// Integers and reals are compared by their mathematical value, so `1` and `1.0` rank equal. See
  /// https://sqlite.org/datatype3.html#sort_order.
  package func rank(against other: CellValue) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.integer(let a), .integer(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.real(let a), .real(let b)): a < b ? -1 : (a == b ? 0 : 1)
    case (.integer(let a), .real(let b)): Self.rank(a, b)
    case (.real(let a), .integer(let b)): -Self.rank(b, a)
    case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)): Self.rank(a, b)
    default: classRank < other.classRank ? -1 : 1
    }
  }

  private var classRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Compares an integer with a real, exactly even if a conversion of either would round.
  static func rank(_ integer: Int64, _ real: Double) -> Int {
    if real.isNaN { return 1 }
    if real >= 9_223_372_036_854_775_808.0 { return -1 }
    if real < -9_223_372_036_854_775_808.0 { return 1 }
    let whole = Int64(real.rounded(.towardZero))
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - real.rounded(.towardZero)
    return rest > 0 ? -1 : (rest < 0 ? 1 : 0)
  }

  static func rank(_ left: [UInt8], _ right: [UInt8]) -> Int {
    if left == right { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  /// How two keys of as many columns compare in SQLite, to which 1 and 1.0 are one key.
  static func rank(ofKeys left: [CellValue], _ right: [CellValue]) -> Int {
    for (a, b) in zip(left, right) {
      let rank = a.rank(against: b)
      if rank != 0 { return rank }
    }
    return 0
  }

  /// How one row of values compares to another: by the first column that ranks differently, then by
  /// their encoded forms, so that the order is total.
  package static func rank(_ left: [CellValue], _ right: [CellValue]) -> Int {
    let rank = rank(ofKeys: left, right)
    if rank != 0 { return rank }
    if left.count != right.count { return left.count < right.count ? -1 : 1 }
    if left == right { return 0 }
    return CanonicalKey(exactly: left).bytes.lexicographicallyPrecedes(
      CanonicalKey(exactly: right).bytes) ? -1 : 1
  }
}
