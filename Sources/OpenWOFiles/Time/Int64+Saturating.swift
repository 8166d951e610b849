/// Arithmetic on times, which come from clocks and files that may say anything: it ends at the nearest number there is.
extension Int64 {
  /// The sum.
  package func plus(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference.
  package func minus(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }

  /// The product.
  package func times(_ other: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// How far apart two moments are.
  package func distance(from other: Int64) -> UInt64 { minus(other).magnitude }

  /// So many milliseconds in nanoseconds, as far as they can be counted.
  package static func nanoseconds(milliseconds: Int64) -> Int64 { milliseconds.times(1_000_000) }
}
