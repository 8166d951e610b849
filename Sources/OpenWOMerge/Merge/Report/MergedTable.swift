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

  /// Rows that are only counted, as there are very many.
  package var unlisted = Unlisted()

  /// How many entries the lists lack.
  package struct Unlisted: Hashable, Sendable {
    /// Rows of `same`.
    package var same = 0
    /// Rows of `together`.
    package var together = 0
    /// Rows of `renumbered`.
    package var renumbered = 0
    /// Conflicts that the clock decided.
    package var byClock = 0
    /// Conflicts that a person decided.
    package var byChoice = 0
    /// Conflicts that a rule decided.
    package var byRule = 0

    /// None.
    package init() {}

    /// All conflicts.
    package var decided: Int { byClock + byChoice + byRule }

    mutating func add(_ reason: MergeDecision.Reason) {
      switch reason {
      case .column, .versionTime: byClock += 1
      case .chosen: byChoice += 1
      case .rule, .fillsColumn, .keepsRows: byRule += 1
      }
    }
  }

  /// A row with cells of both sides.
  package struct JoinedRow: Hashable, Sendable {
    /// The key of the row in the result.
    package let key: [CellValue]
    /// The columns that only one side changed.
    package let columns: Sides<[String]>
  }

  init(table: String) { self.table = table }

  /// Adds conflicts that only writing brought about.
  mutating func add(_ written: WrittenRows.Decisions, upTo limit: Int) {
    for decision in written.listed {
      if decided.count < limit { decided.append(decision) } else { unlisted.add(decision.reason) }
    }
    unlisted.byChoice += written.unlisted.byChoice
    unlisted.byRule += written.unlisted.byRule
  }

  /// Whether nothing happened to the table.
  var isUntouched: Bool {
    fromOurs + fromTheirs + converged == 0 && decided.isEmpty && renumbered.isEmpty
  }
}
