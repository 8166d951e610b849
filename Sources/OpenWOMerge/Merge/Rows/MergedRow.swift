/// What became of a row that one or both sides changed.
struct MergedRow {
  let base: MergeRow?
  let changes: Sides<SideChange?>
  var outcome: MergeOutcome
  /// The row in the result; nil when it is not in it.
  var row: MergeRow?
  /// What to write where `row` breaks a constraint that both sides' own rows keep.
  var fallback: MergeRow?
  var decisions: [MergeDecision] = []
}
