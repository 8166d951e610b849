/// Makes foreign keys follow the rows whose keys were given anew.
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
      if isStill { return }
    }
  }

  private func restart(_ table: TableMerge, _ side: MergeSide) {
    for index in table.changes[side].indices {
      let change = table.changes[side][index]
      guard let original = change.original else { continue }
      table.changes[side][index].row = change.givenKey.map { table.rekey(original, $0) } ?? original
    }
  }

  private func follow(_ table: TableMerge, _ side: MergeSide) -> Bool {
    var hasMoved = false
    for reference in table.references {
      guard let parent = tables[reference.parent] else { continue }
      let moved = moves(parent, reference, side)
      if moved.isEmpty { continue }
      for index in table.changes[side].indices {
        let change = table.changes[side][index]
        guard var row = change.row, let original = change.original,
          let values = original.values(reference.columns),
          change.base?.values(reference.columns) != values,
          let target = moved[parent.key(of: values, pointedToIn: reference.parentColumns)]
        else { continue }
        for (column, new) in zip(reference.columns, target) {
          let value = table.shape.columns[column].affinity.taking(new)
          row.cells[column] = value
          if column == table.shape.rowidColumn { row.rowid = value.int }
        }
        if row != change.row {
          table.changes[side][index].row = row
          hasMoved = true
        }
      }
    }
    return hasMoved
  }

  /// Where the rows of a table that moved are now, by the values under which they are pointed to.
  private func moves(
    _ parent: TableMerge, _ reference: TableMerge.Reference, _ side: MergeSide
  ) -> [CanonicalKey: [CellValue]] {
    var moves: [CanonicalKey: [CellValue]] = [:]
    for change in parent.changes[side] {
      guard change.base == nil, let old = change.original?.values(reference.parentColumns),
        let new = change.row?.values(reference.parentColumns), old != new
      else { continue }
      moves[parent.key(of: old, pointedToIn: reference.parentColumns)] = new
    }
    return moves
  }
}
