/// Decides what becomes of one row that at least one side changed.
///
/// Pure.
struct RowMerger {
  private let table: TableMerge
  private let clock: MergeClock
  /// The column that says when a row was last written.
  private let clockColumn: Int?

  init(table: TableMerge, clock: MergeClock) {
    self.table = table
    self.clock = clock
    clockColumn = MergeClock.column(of: table.shape)
  }

  /// The result for a row with these changes.
  func merge(_ changes: Sides<SideChange?>) -> MergedRow {
    switch (changes.ours, changes.theirs) {
    case (let change?, nil): return oneSided(change, .ours, changes)
    case (nil, let change?): return oneSided(change, .theirs, changes)
    case (let ours?, let theirs?) where ours.isMove:
      return theirs.isMove ? moved(ours, changes) : oneSided(theirs, .theirs, changes)
    case (let ours?, let theirs?) where theirs.isMove: return oneSided(ours, .ours, changes)
    // The other side may have made a new row of it, which is no deletion any more.
    case (let ours?, let theirs?) where ours.isCascaded && theirs.isDelete:
      return oneSided(theirs, .theirs, changes)
    case (let ours?, let theirs?) where theirs.isCascaded && ours.isDelete:
      return oneSided(ours, .ours, changes)
    case (let ours?, let theirs?): return bothSided(ours, theirs, changes)
    case (nil, nil):
      return MergedRow(base: nil, changes: changes, outcome: .convergent(.updated), row: nil)
    }
  }

  private func moved(_ change: SideChange, _ changes: Sides<SideChange?>) -> MergedRow {
    MergedRow(base: change.base, changes: changes, outcome: .moved, row: change.row)
  }

  private func oneSided(
    _ change: SideChange, _ side: MergeSide, _ changes: Sides<SideChange?>
  ) -> MergedRow {
    if change.isMove { return moved(change, changes) }
    if change.isDelete, let base = change.base, table.outlivesDeletion(base) {
      return putBack(changes[side.other]?.row ?? base, by: side.other, changes)
    }
    let kind: RowChange.Kind =
      change.isDelete ? .deleted : (change.base == nil ? .inserted : .updated)
    var merged = MergedRow(
      base: change.base, changes: changes, outcome: .oneSided(side, kind), row: change.row)
    if kind == .deleted, table.rule == .union, let base = change.base {
      let chosen = table.choices.side(of: base, in: table)
      let winner = chosen ?? side.other
      merged.row = winner == side ? nil : changes[side.other]?.row ?? base
      merged.outcome = .decided
      merged.decisions = [
        decision(
          base, .deleteAgainstUnion, [], winner, chosen == nil ? .rule(.union) : .chosen)
      ]
    }
    return merged
  }

  /// A row that only one side has, of a base that has it although one of those that it was made of does not.
  private func putBack(
    _ row: MergeRow, by side: MergeSide, _ changes: Sides<SideChange?>
  ) -> MergedRow {
    let base = changes.ours?.base ?? changes.theirs?.base
    var merged = MergedRow(
      base: base, changes: changes, outcome: .oneSided(side, .inserted), row: row)
    merged.isDoubtful = true
    return merged
  }

  private func bothSided(
    _ ours: SideChange, _ theirs: SideChange, _ changes: Sides<SideChange?>
  ) -> MergedRow {
    let base = ours.base ?? theirs.base
    switch (ours.row, theirs.row) {
    case (nil, nil):
      // Of what is in the base only in doubt neither had anything to delete.
      return MergedRow(
        base: base, changes: changes,
        outcome: table.isDoubtful(base) ? .moved : .convergent(.deleted), row: nil)
    case (let kept?, nil) where table.isDoubtful(base): return putBack(kept, by: .ours, changes)
    case (nil, let kept?) where table.isDoubtful(base): return putBack(kept, by: .theirs, changes)
    case (let kept?, nil): return deleted(base, kept, by: .theirs, changes)
    case (nil, let kept?): return deleted(base, kept, by: .ours, changes)
    case (let a?, let b?):
      if a.agrees(with: b) {
        var row = a
        for index in row.cells.indices where row.cells[index] == nil {
          row.cells[index] = b.cells[index]
        }
        let kind: RowChange.Kind = base == nil ? .inserted : .updated
        return MergedRow(base: base, changes: changes, outcome: .convergent(kind), row: row)
      }
      return cells(base, Sides(ours: a, theirs: b), changes)
    }
  }

  private func deleted(
    _ base: MergeRow?, _ kept: MergeRow, by side: MergeSide, _ changes: Sides<SideChange?>
  ) -> MergedRow {
    var merged = MergedRow(base: base, changes: changes, outcome: .decided, row: kept)
    var winner = side.other
    var reason = MergeDecision.Reason.keepsRows
    if let chosen = table.choices.side(of: kept, in: table) {
      winner = chosen
      reason = .chosen
      if winner == side { merged.row = nil }
    } else if let chosen = ruledSide(Sides(ours: nil, theirs: nil)), table.rule != .newest {
      winner = chosen
      reason = .rule(table.rule)
      if winner == side { merged.row = nil }
    } else if table.rule != .union, changes[side.other]?.isFill ?? false {
      winner = side
      reason = .fillsColumn
      merged.row = nil
    }
    merged.decisions = [decision(kept, .deleteAgainstUpdate, [], winner, reason)]
    return merged
  }

  private func cells(
    _ base: MergeRow?, _ rows: Sides<MergeRow>, _ changes: Sides<SideChange?>
  ) -> MergedRow {
    let optional = Sides<MergeRow?>(ours: rows.ours, theirs: rows.theirs)
    let (later, reason) = clock.later(optional, of: table.shape, by: clockColumn)
    if let ruled = ruledSide(optional) {
      let chosen = table.choices.side(of: rows[ruled], in: table)
      let side = chosen ?? ruled
      var merged = MergedRow(base: base, changes: changes, outcome: .decided, row: rows[side])
      merged.row = filled(rows[side], from: rows[side.other])
      merged.decisions = [
        decision(rows[ruled], .cell, [], side, chosen == nil ? .rule(table.rule) : .chosen)
      ]
      return merged
    }
    let old = changes.ours?.before ?? changes.theirs?.before ?? base
    let (row, atOdds) = together(rows, since: old, later)
    var merged = MergedRow(
      base: base, changes: changes, outcome: atOdds.isEmpty ? .resolved : .decided, row: row)
    let whole = table.choices.side(of: row, in: table) ?? later
    merged.fallback = filled(rows[whole], from: rows[whole.other])
    if !atOdds.isEmpty { decide(&merged, row, atOdds, rows, later, reason) }
    return merged
  }

  /// The merged cells, and the columns in which both sides wrote different values: there the later
  /// one wins.
  private func together(
    _ rows: Sides<MergeRow>, since old: MergeRow?, _ later: MergeSide
  ) -> (row: MergeRow, atOdds: [Int]) {
    var row = rows[later]
    var atOdds: [Int] = []
    for index in row.cells.indices {
      let (mine, other) = (rows[later].cells[index], rows[later.other].cells[index])
      guard let mine, let other, mine != other else {
        row.cells[index] = mine ?? other
        continue
      }
      let before = old?.cells[index]
      if before == mine {
        row.cells[index] = other
      } else if before != other, index != clockColumn {
        atOdds.append(index)
      }
    }
    return (row, atOdds)
  }

  /// Takes what was chosen for the cells at odds, and notes who decided; the others are the later one's already.
  private func decide(
    _ merged: inout MergedRow, _ row: MergeRow, _ atOdds: [Int], _ rows: Sides<MergeRow>,
    _ later: MergeSide, _ reason: MergeDecision.Reason
  ) {
    var chosen = Sides<[String]>(ours: [], theirs: [])
    var left: [String] = []
    for index in atOdds {
      let name = table.shape.columns[index].name
      if let side = table.choices.side(of: row, column: name, in: table) {
        merged.row?.cells[index] = rows[side].cells[index]
        chosen[side].append(name)
      } else {
        left.append(name)
      }
    }
    // The key is that of the row as it is without a choice: under it people have chosen.
    merged.decisions = MergeSide.allCases.filter { !chosen[$0].isEmpty }.map { side in
      decision(row, .cell, chosen[side], side, .chosen)
    }
    if !merged.decisions.isEmpty, table.choices.side(of: row, in: table) == nil {
      // Choices by cell are not replaced by a whole row.
      merged.fallback = nil
    }
    if !left.isEmpty { merged.decisions.append(decision(row, .cell, left, later, reason)) }
  }

  /// The side whose whole row a rule takes; nil if cells are looked at.
  private func ruledSide(_ rows: Sides<MergeRow?>) -> MergeSide? {
    switch table.rule {
    case .cells, .union: nil
    case .newest: clock.later(rows, of: table.shape, by: clockColumn).side
    case .ours: .ours
    case .theirs: .theirs
    case .singleton: nil
    }
  }

  private func filled(_ row: MergeRow, from other: MergeRow) -> MergeRow {
    var row = row
    for index in row.cells.indices where row.cells[index] == nil {
      row.cells[index] = other.cells[index]
    }
    return row
  }

  private func decision(
    _ row: MergeRow, _ conflict: MergeDecision.Conflict, _ columns: [String], _ winner: MergeSide,
    _ reason: MergeDecision.Reason
  ) -> MergeDecision {
    MergeDecision(
      key: table.keyValues(row), conflict: conflict, columns: columns, winner: winner,
      reason: reason)
  }
}
