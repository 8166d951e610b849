/// A column that seems to point to a table whose rows got other keys, though no FOREIGN KEY says so: it does not follow them.
package struct UndeclaredReference: Hashable, Sendable {
  /// The table whose rows got other keys.
  package let parent: String
  /// The table with the column.
  package let table: String
  /// The column.
  package let column: String
}
