/// Decides about a table that is to have one row: all of it comes from one side.
struct SingletonMerger {
  let table: TableMerge
  let clock: MergeClock

  /// The results, given all changes of both sides paired by key.
  func merge(_ pairs: [Sides<SideChange?>]) -> [MergedRow] {
    let (winner, reason) = chosen(pairs).map { ($0, .chosen) } ?? winner(pairs)
    let isContested = !table.changes.ours.isEmpty && !table.changes.theirs.isEmpty
    return pairs.map { pair in
      let base = pair.ours?.base ?? pair.theirs?.base
      let change = pair[winner]
      let row = change == nil ? base : change?.row
      var merged = MergedRow(base: base, changes: pair, outcome: .decided, row: row)
      let isSame = pair[winner.other].map { $0.row == row } ?? false
      if !isContested || isSame {
        let kind: RowChange.Kind = base == nil ? .inserted : (row == nil ? .deleted : .updated)
        merged.outcome = isSame && change != nil ? .convergent(kind) : .oneSided(winner, kind)
      } else if let shown = row ?? base ?? pair[winner.other]?.row {
        merged.decisions = [
          MergeDecision(
            key: table.keyValues(shown), conflict: .cell, columns: [], winner: winner,
            reason: reason)
        ]
      }
      return merged
    }
  }

  /// The side that a person chose for a row, and with it for all of the table.
  private func chosen(_ pairs: [Sides<SideChange?>]) -> MergeSide? {
    if table.choices.isEmpty { return nil }
    let rows = pairs.flatMap { [$0.ours?.base, $0.ours?.row, $0.theirs?.base, $0.theirs?.row] }
    return rows.lazy.compactMap { $0.flatMap { table.choices.side(of: $0, in: table) } }.first
  }

  private func winner(
    _ pairs: [Sides<SideChange?>]
  ) -> (MergeSide, MergeDecision.Reason) {
    if table.changes.theirs.isEmpty { return (.ours, .rule(.singleton)) }
    if table.changes.ours.isEmpty { return (.theirs, .rule(.singleton)) }
    return clock.later(Sides(ours: newest(.ours), theirs: newest(.theirs)), of: table.shape)
  }

  private func newest(_ side: MergeSide) -> MergeRow? {
    let rows = table.changes[side].compactMap(\.row)
    guard let column = MergeClock.column(of: table.shape) else { return rows.first }
    return rows.max {
      ($0.cells[column] ?? .null).rank(against: $1.cells[column] ?? .null) < 0
    }
  }
}
