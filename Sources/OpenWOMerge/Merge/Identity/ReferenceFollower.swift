/// Makes foreign keys follow the rows whose keys were renumbered.
struct ReferenceFollower {
  let tables: [String: TableMerge]
  /// Table names, those pointed to before those that point.
  let order: [String]

  /// Works out every changed row of a side from how the side has it, its given key, and the given
  /// keys of the rows it points to.
  ///
  /// Cycles take more than one round.
  func follow(_ side: MergeSide) {
    for table in tables.values { restart(table, side) }
    for _ in 0...tables.count {
      var isStill = true
      for name in order {
        if let table = tables[name], follow(table, side) { isStill = false }
      }
      if isStill { break }
    }
    for table in tables.values where table.plain != nil {
      let moves = table.references.compactMap { reference in
        tables[reference.parent].map { ReferenceMoves(reference, $0, side) }
      }
      table.plain?.moves[side] = moves.filter { !$0.isEmpty }
    }
  }

  private func restart(_ table: TableMerge, _ side: MergeSide) {
    for index in table.changes[side].indices {
      let change = table.changes[side][index]
      guard let original = change.original else { continue }
      // Writing would copy the list, which is long, for nothing.
      if change.givenKey == nil, change.row == original { continue }
      table.changes[side][index].row = change.givenKey.map { table.rekey(original, $0) } ?? original
    }
  }

  private func follow(_ table: TableMerge, _ side: MergeSide) -> Bool {
    var hasMoved = false
    for reference in table.references {
      guard let parent = tables[reference.parent] else { continue }
      let moves = ReferenceMoves(reference, parent, side)
      if moves.isEmpty { continue }
      for index in table.changes[side].indices {
        let change = table.changes[side][index]
        guard let row = change.row.map({ moves.followed($0, in: change, of: table) }),
          row != change.row
        else { continue }
        table.changes[side][index].row = row
        hasMoved = true
      }
    }
    return hasMoved
  }

  /// Gives each changed row its base as it would be with the numbers of the result.
  func followBase() {
    for table in tables.values {
      let parents = table.references.compactMap {
        reference -> (TableMerge.Reference, TableMerge)? in
        guard let parent = tables[reference.parent], let column = parent.shape.rowidColumn,
          reference.parentColumns == [column], !parent.finalNumbers.isEmpty
        else { return nil }
        return (reference, parent)
      }
      if parents.isEmpty, table.finalNumbers.isEmpty { continue }
      for side in MergeSide.allCases {
        for index in table.changes[side].indices {
          guard var row = table.changes[side][index].base else { continue }
          if let number = row.rowid.flatMap({ table.finalNumbers[$0] }) {
            row = table.rekey(row, .rowid(number))
          }
          for (reference, parent) in parents {
            let column = reference.columns[0]
            guard let old = row.cells[column]?.int, let number = parent.finalNumbers[old] else {
              continue
            }
            row.cells[column] = table.shape.columns[column].affinity.taking(.integer(number))
            if column == table.shape.rowidColumn { row.rowid = number }
          }
          table.changes[side][index].before = row
        }
      }
    }
  }
}
