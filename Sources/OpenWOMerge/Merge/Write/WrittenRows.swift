/// The rows that were written, for the checks at the end.
final class WrittenRows {
  /// Rows that go under one key and come back under another, with all values.
  var completed: [MergeRow: MergeRow] = [:]
  /// Decisions that only writing brought about.
  var decisions: [String: Decisions] = [:]

  /// Conflicts of one table: the first ones, and how many more there are.
  struct Decisions {
    var listed: [MergeDecision] = []
    var unlisted = MergedTable.Unlisted()
  }

  /// Notes that a row was taken whole from its later writer, or from the side that a person chose.
  func note(
    _ table: TableMerge, _ row: MergeRow, _ changes: Sides<SideChange?>, _ plan: MergePlan
  ) {
    let name = SQLName.folded(table.shape.name)
    let winner =
      MergeSide.allCases.first { changes[$0]?.row?.agrees(with: row) ?? false } ?? plan.ground
    let isChosen = table.choices.side(of: row, in: table) == winner
    let reason: MergeDecision.Reason = isChosen ? .chosen : .keepsRows
    var all = decisions[name] ?? Decisions()
    decisions[name] = nil
    if all.listed.count < plan.listed {
      all.listed.append(
        MergeDecision(
          key: table.keyValues(row), conflict: .constraint, columns: [], winner: winner,
          reason: reason))
    } else {
      all.unlisted.add(reason)
    }
    decisions[name] = all
  }
}
