/// Where the rows have gone that one reference of a table points to, on one side.
struct ReferenceMoves {
  private let reference: TableMerge.Reference
  private let parent: TableMerge
  /// The new values of rows in memory, by the values that refer to them.
  private let moved: [CanonicalKey: [CellValue]]
  /// The new numbers of plain rows.
  private let given: [GivenNumbers]

  init(_ reference: TableMerge.Reference, _ parent: TableMerge, _ side: MergeSide) {
    self.reference = reference
    self.parent = parent
    var moves: [CanonicalKey: [CellValue]] = [:]
    for change in parent.changes[side] {
      guard change.base == nil || change.isReplacement,
        let old = change.original?.values(reference.parentColumns),
        let new = change.row?.values(reference.parentColumns), old != new
      else { continue }
      moves[parent.key(of: old, pointedToIn: reference.parentColumns)] = new
    }
    moved = moves
    let isByNumber = [parent.shape.rowidColumn] == reference.parentColumns
    given = isByNumber ? (parent.plain?.renumbered ?? []).filter { $0.side == side } : []
  }

  /// Whether no row has gone anywhere.
  var isEmpty: Bool { moved.isEmpty && given.isEmpty }

  /// The values of the row that these values point to now; nil if it is where it was.
  func target(_ values: [CellValue]) -> [CellValue]? {
    if let target = moved[parent.key(of: values, pointedToIn: reference.parentColumns)] {
      return target
    }
    guard !given.isEmpty, let column = parent.shape.rowidColumn,
      let number = parent.shape.columns[column].affinity.taking(values[0]).int
    else { return nil }
    return given.lazy.compactMap { $0.number(of: number) }.first.map { [.integer($0)] }
  }

  /// A new row that points to where the row has gone that it pointed to.
  func followed(_ row: MergeRow, from original: MergeRow, in table: TableMerge) -> MergeRow {
    guard let target = original.values(reference.columns).flatMap(target) else { return row }
    return row.pointing(reference, to: target, in: table)
  }
}

extension MergeRow {
  /// The row with other values in the columns of a reference.
  func pointing(
    _ reference: TableMerge.Reference, to target: [CellValue], in table: TableMerge
  ) -> MergeRow {
    var row = self
    for (column, new) in zip(reference.columns, target) {
      let value = table.shape.columns[column].affinity.taking(new)
      row.cells[column] = value
      if column == table.shape.rowidColumn { row.rowid = value.int }
    }
    return row
  }
}
