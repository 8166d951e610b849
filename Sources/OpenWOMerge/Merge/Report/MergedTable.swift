/// The report of a merge for one table.
package struct MergedTable: Hashable, Sendable {
  /// The table's name.
  package let table: String
  /// Rows changed by our side alone, taken over.
  package var fromOurs = 0
  /// Rows changed by their side alone, taken over.
  package var fromTheirs = 0
  /// Rows to which both did the same, or different things in different cells.
  package var converged = 0
  /// The keys of rows that both sides made alike: each is one row now.
  package var same: [[CellValue]] = []
  /// Rows that both sides changed in different cells, and which columns came from each.
  package var together: [JoinedRow] = []
  /// The conflicts, in which one side lost.
  package var decided: [MergeDecision] = []
  /// Rows with new keys.
  package var renumbered: [Renumbering] = []

  /// A row with cells of both sides.
  package struct JoinedRow: Hashable, Sendable {
    /// The key of the row in the result.
    package let key: [CellValue]
    /// The columns that only one side changed.
    package let columns: Sides<[String]>
  }

  init(table: String) { self.table = table }

  /// Whether nothing happened to the table.
  var isUntouched: Bool {
    fromOurs + fromTheirs + converged == 0 && decided.isEmpty && renumbered.isEmpty
  }
}
