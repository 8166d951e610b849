/// The rows that were written, for the checks at the end.
final class WrittenRows {
  /// Rows that go under one key and come back under another, with all values.
  var completed: [MergeRow: MergeRow] = [:]
  /// Decisions that only writing brought about.
  var decisions: [String: [MergeDecision]] = [:]

  /// Notes that a row was taken whole from its later writer, or from the side that a person chose.
  func note(_ table: TableMerge, _ row: MergeRow, _ plan: MergePlan) {
    let name = SQLName.folded(table.shape.name)
    let winner =
      MergeSide.allCases.first { side in
        table.changes[side].contains { $0.row.map { $0.agrees(with: row) } ?? false }
      } ?? plan.ground
    let isChosen = table.choices.side(of: row, in: table) == winner
    decisions[name, default: []].append(
      MergeDecision(
        key: table.keyValues(row), conflict: .constraint, columns: [], winner: winner,
        reason: isChosen ? .chosen : .keepsRows))
  }
}
