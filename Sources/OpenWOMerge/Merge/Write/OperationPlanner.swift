/// Computes the writes that turn the target into the result.
///
/// Pure.
struct OperationPlanner {
  let table: TableMerge
  let ground: MergeSide
  /// Whether the table is made again, so that its rows are put into another one.
  var isRebuilt = false

  func operations(_ rows: [MergedRow]) -> [RowOperation] { rows.compactMap(operation) }

  private func operation(_ merged: MergedRow) -> RowOperation? {
    let old: MergeRow? =
      if let change = merged.changes[ground] { change.original } else { merged.base }
    switch (old, merged.row) {
    case (nil, nil): return nil
    case (nil, let new?):
      return RowOperation(kind: .insert, old: nil, new: new, fallback: merged.fallback)
    case (let old?, nil):
      return RowOperation(kind: .delete, old: old, new: nil, fallback: nil)
    case (let old?, let new?):
      let changed = new.cells.indices.filter {
        new.cells[$0] != nil && new.cells[$0] != old.cells[$0]
      }
      if changed.isEmpty, old.rowid == new.rowid { return nil }
      let isInPlace =
        old.rowid == new.rowid && keyColumns.isDisjoint(with: changed)
        && !table.isNamedByWholeRow(old) && table.computed.isEmpty && !isRebuilt
      return RowOperation(
        kind: isInPlace ? .update(changed) : .replace, old: old, new: new,
        fallback: merged.fallback)
    }
  }

  /// Columns whose values may be another row's until that one is written.
  private var keyColumns: Set<Int> {
    var columns = Set(table.uniques.flatMap(\.columns))
    if case .primaryKey(let key) = table.shape.identity { columns.formUnion(key.map(\.column)) }
    if case .wholeRow = table.shape.identity { columns.formUnion(table.shape.columns.indices) }
    if let column = table.shape.rowidColumn { columns.insert(column) }
    return columns
  }
}
