/// Computes the writes that turn the target into the result.
///
/// Pure.
struct OperationPlanner {
  private let table: TableMerge
  private let ground: MergeSide
  private let isRebuilt: Bool
  /// Columns whose values may be another row's until that one is written.
  private let keyColumns: Set<Int>

  /// `isRebuilt` says whether the table is made again, so that its rows are put into another one.
  init(table: TableMerge, ground: MergeSide, isRebuilt: Bool = false) {
    self.table = table
    self.ground = ground
    self.isRebuilt = isRebuilt
    var columns = Set(table.uniques.flatMap(\.columns))
    if case .primaryKey(let key) = table.shape.identity { columns.formUnion(key.map(\.column)) }
    if case .wholeRow = table.shape.identity { columns.formUnion(table.shape.columns.indices) }
    if let column = table.shape.rowidColumn { columns.insert(column) }
    keyColumns = columns
  }

  func operations(_ rows: [MergedRow]) -> [RowOperation] { rows.compactMap(operation) }

  /// The write for one row; nil if the target has it already.
  func operation(_ merged: MergedRow) -> RowOperation? {
    let old: MergeRow? =
      if let change = merged.changes[ground] { change.original } else { merged.base }
    func make(_ kind: RowOperation.Kind) -> RowOperation {
      RowOperation(
        kind: kind, old: old, new: merged.row, fallback: merged.fallback,
        changes: merged.changes, place: table.place(of: merged))
    }
    switch (old, merged.row) {
    case (nil, nil): return nil
    case (nil, _?): return make(.insert)
    case (_?, nil): return make(.delete)
    case (let old?, let new?):
      let changed = new.cells.indices.filter {
        new.cells[$0] != nil && new.cells[$0] != old.cells[$0]
      }
      if changed.isEmpty, old.rowid == new.rowid { return nil }
      let isInPlace =
        old.rowid == new.rowid && keyColumns.isDisjoint(with: changed)
        && !table.isNamedByWholeRow(old) && table.computed.isEmpty && !isRebuilt
      return make(isInPlace ? .update(changed) : .replace)
    }
  }
}
