/// Rows to be looked for in the versions between two: one that is gone there is another one if its number comes up again.
package struct RowWatch {
  /// By folded table name.
  package var numbers: [String: Set<Int64>]
  /// Which of these numbers a version does not have; none if that cannot be told.
  package let absent: (Version, [String: Set<Int64>]) throws -> [String: Set<Int64>]

  package init(
    _ numbers: [String: Set<Int64>],
    absent: @escaping (Version, [String: Set<Int64>]) throws -> [String: Set<Int64>]
  ) {
    self.numbers = numbers
    self.absent = absent
  }
}
