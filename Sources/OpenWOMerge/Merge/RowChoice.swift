/// The side that is taken for a row, or for one cell of it, in a conflict.
package struct RowChoice: Hashable, Sendable {
  /// The table's name.
  package let table: String
  /// The key of the row in the result.
  package let key: [CellValue]
  /// The column; nil for all of the row that is at odds.
  package let column: String?
  /// Whose word is taken.
  package let side: MergeSide

  /// A choice.
  package init(table: String, key: [CellValue], column: String?, side: MergeSide) {
    self.table = table
    self.key = key
    self.column = column
    self.side = side
  }
}
