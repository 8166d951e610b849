/// The outcome of a row that one or both sides changed.
struct MergedRow {
  let base: MergeRow?
  /// The same with the numbers that it and the rows it points to will have.
  var before: MergeRow? {
    changes.ours?.before ?? changes.theirs?.before ?? base
  }
  let changes: Sides<SideChange?>
  var outcome: MergeOutcome
  /// The row in the result; nil if it is not in it.
  var row: MergeRow?
  /// The row to write if `row` violates a constraint that both sides' own rows satisfy.
  var fallback: MergeRow?
  var decisions: [MergeDecision] = []
  /// Whether one side deleted the row, and it stays because it may have come back on the other.
  var isDoubtful = false
}
