/// How much one listing may read to count what versions changed.
struct SummaryBudget: Sendable {
  /// Whether a version may be counted.
  enum Answer: Sendable, Hashable {
    case yes, tooLarge, notYet
  }

  /// How many more versions may be looked into.
  var count = 64
  /// How many more bytes may be read.
  var bytes: Int64 = 64 * 1024 * 1024
  /// The most bytes for one version.
  var most: Int64 = 16 * 1024 * 1024

  /// Decides about a version that takes this many bytes, and takes them from the budget.
  mutating func take(_ weight: Int64) -> Answer {
    guard weight <= most else { return .tooLarge }
    guard bytes >= weight else { return .notYet }
    bytes -= weight
    return .yes
  }

  /// Whether one more version may be looked into, which is then one less.
  mutating func takeOne() -> Bool {
    guard count > 0 else { return false }
    count -= 1
    return true
  }
}
