/// The report of a merge.
package struct MergeReport: Hashable, Sendable {
  /// The side whose database was the ground the result was built on.
  package let ground: MergeSide
  /// The tables that were touched, in order of name.
  package let tables: [MergedTable]
  /// Rows that have another number in the result, by folded table name.
  package let numbers: [String: [NumberChange]]
  /// Columns that do not follow rows with other keys, though they seem to point to them.
  package let undeclared: [UndeclaredReference]
  /// Numbers of rows in the result, by folded table name, that one side had deleted and that stay in doubt.
  package let doubtful: [String: Set<Int64>]
}
