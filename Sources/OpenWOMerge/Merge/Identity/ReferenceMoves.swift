/// Where the rows have gone that one reference of a table points to, on one side.
struct ReferenceMoves {
  private let reference: TableMerge.Reference
  private let parent: TableMerge
  /// The new numbers of rows of the base that a side has under another number, by the values that refer to that one.
  private let settled: [CanonicalKey: [CellValue]]
  /// The new values of new rows in memory, by the values that refer to them.
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
    settled = isByNumber ? Self.settled(parent, reference, side) : [:]
  }

  /// Whether no row has gone anywhere.
  var isEmpty: Bool { settled.isEmpty && moved.isEmpty && given.isEmpty }

  /// A changed row that points to where the row has gone that it pointed to.
  func followed(_ row: MergeRow, in change: SideChange, of table: TableMerge) -> MergeRow {
    guard let values = change.original?.values(reference.columns),
      let target = settled[parent.key(of: values, pointedToIn: reference.parentColumns)]
        ?? (change.base?.values(reference.columns) != values ? target(values) : nil)
    else { return row }
    return row.pointing(reference, to: target, in: table)
  }

  /// The values of the new row that these values point to now; nil if it is where it was.
  private func target(_ values: [CellValue]) -> [CellValue]? {
    if let target = moved[parent.key(of: values, pointedToIn: reference.parentColumns)] {
      return target
    }
    guard !given.isEmpty, let column = parent.shape.rowidColumn,
      let number = parent.shape.columns[column].affinity.taking(values[0]).int
    else { return nil }
    return given.lazy.compactMap { $0.number(of: number) }.first.map { [.integer($0)] }
  }

  private static func settled(
    _ parent: TableMerge, _ reference: TableMerge.Reference, _ side: MergeSide
  ) -> [CanonicalKey: [CellValue]] {
    var numbers = parent.moved[side]
    for change in parent.changes[side] where change.base != nil {
      guard let old = change.original?.rowid, let new = change.row?.rowid, old != new else {
        continue
      }
      numbers[old] = new
    }
    var moves: [CanonicalKey: [CellValue]] = [:]
    for (old, new) in numbers {
      let key = parent.key(of: [.integer(old)], pointedToIn: reference.parentColumns)
      moves[key] = [.integer(new)]
    }
    return moves
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
