/// Why two databases are not merged: nothing is written then.
package struct MergeRefusal: Error, Hashable, Sendable {
  /// The table; empty when it is about the databases as a whole.
  package let table: String
  /// The keys of the rows.
  package let rows: [[CellValue]]
  /// Whose row each of these is, if only one side made or changed it; empty if that was not asked.
  package let sides: [MergeSide?]
  /// One sentence in lower case without a full stop.
  package let reason: String

  /// A refusal; an empty table is about the databases as a whole.
  package init(
    _ table: String, rows: [[CellValue]] = [], sides: [MergeSide?] = [], _ reason: String
  ) {
    self.table = SQLName.plain(table)
    self.rows = rows
    self.sides = sides
    self.reason = SQLName.plain(reason)
  }
}
