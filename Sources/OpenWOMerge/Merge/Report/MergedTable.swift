/// What a merge did to one table.
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
  /// Where one side had to give way.
  package var decided: [MergeDecision] = []
  /// Rows with new keys.
  package var renumbered: [Renumbering] = []

  init(table: String) { self.table = table }

  /// Whether nothing happened to the table.
  var isUntouched: Bool {
    fromOurs + fromTheirs + converged == 0 && decided.isEmpty && renumbered.isEmpty
  }
}
