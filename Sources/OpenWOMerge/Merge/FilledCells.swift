import OpenWOSQLite

/// Gives rows of one side a value in columns that only the other side has, if the column's default would be another one each time.
///
/// The value comes from the row, the column and the time of its version, so two devices that merge the same sides get the same.
struct FilledCells {
  let table: TableMerge
  let ground: MergeSide
  let schemas: Sides<DatabaseSchema>
  let sides: Sides<Connection>
  let moments: Sides<Int64>

  /// Fills them; a refusal names rows for which there is no value.
  func fill(_ rows: inout [MergedRow]) throws {
    for (place, column) in table.shape.columns.enumerated() {
      guard let owner = owner(of: column),
        try sides[owner].valueOfOlderRows(in: column, of: table.shape) == nil
      else { continue }
      let lacking = rows.indices.filter { lacks(place, rows[$0]) }
      if lacking.isEmpty { continue }
      let maker = try SeededDefault(column, of: table.shape, sides[owner])
      let usual = try maker == nil && column.isNotNull ? onlyValue(of: column, owner) : nil
      guard maker != nil || usual != nil || !column.isNotNull else {
        throw MergeRefusal(
          table.shape.name,
          rows: lacking.prefix(10).compactMap { rows[$0].row.map(table.keyValues) },
          "the column \(column.name), which one side added, needs a value, and has no default for "
            + "the other's rows")
      }
      for index in lacking {
        guard let row = rows[index].row else { continue }
        let value = try maker?.value(for: row, of: table, at: moment(rows[index])) ?? usual ?? .null
        rows[index].row?.cells[place] = value
        if rows[index].fallback != nil, rows[index].fallback?.cells[place] == nil {
          rows[index].fallback?.cells[place] = value
        }
      }
    }
  }

  /// The side that alone has the column.
  private func owner(of column: ColumnShape) -> MergeSide? {
    let name = SQLName.folded(column.name)
    let owners = MergeSide.allCases.filter {
      schemas[$0].tables[SQLName.folded(table.shape.name)]?.column(name) != nil
    }
    return owners.count == 1 ? owners[0] : nil
  }

  /// Whether neither the row nor the ground knows what it has in the column.
  private func lacks(_ place: Int, _ merged: MergedRow) -> Bool {
    guard let row = merged.row, row.cells[place] == nil else { return false }
    let old = merged.changes[ground].map(\.original) ?? merged.base
    return old.map { $0.cells[place] == nil } ?? true
  }

  /// The one value that all rows of a side have there: a migration gave it to them.
  private func onlyValue(of column: ColumnShape, _ side: MergeSide) throws -> CellValue? {
    let values = try sides[side].cells(
      "SELECT DISTINCT \(SQLName.quoted(column.name)) FROM main.\(SQLName.quoted(table.shape.name)) "
        + "LIMIT 2")
    return values.count == 1 ? values[0][0] : nil
  }

  /// When the row was written, as far as that is known.
  private func moment(_ merged: MergedRow) -> Int64 {
    let known = MergeSide.allCases.filter { merged.changes[$0]?.original != nil }
    return known.map { moments[$0] }.max() ?? min(moments.ours, moments.theirs)
  }
}
