import OpenWOSQLite

/// Makes sure that no row that was written points nowhere, unless it did so before.
struct ReferenceChecker {
  let plan: MergePlan
  let connection: Connection

  func check(_ rows: WrittenRows) throws {
    for name in plan.order {
      guard let table = plan.tables[name] else { continue }
      for reference in table.references {
        guard let parent = plan.tables[reference.parent] else { continue }
        for row in rows.written[name] ?? [] {
          guard let values = row.values(reference.columns),
            try !exists(values, reference, parent.shape, connection),
            try !wasDangling(row, table, reference, parent.shape)
          else { continue }
          throw MergeRefusal(
            table.shape.name, rows: [table.keyValues(row)],
            "the row it points to in \(parent.shape.name) is gone")
        }
      }
    }
  }

  /// Whether the row pointed nowhere on the side it comes from.
  private func wasDangling(
    _ row: MergeRow, _ table: TableMerge, _ reference: TableMerge.Reference, _ parent: TableShape
  ) throws -> Bool {
    for side in MergeSide.allCases {
      for change in table.changes[side] {
        guard let mine = change.row, table.key(mine) == table.key(row),
          mine.values(reference.columns) == row.values(reference.columns),
          let values = change.original?.values(reference.columns)
        else { continue }
        if try !exists(values, reference, parent, plan.sides[side]) { return true }
      }
    }
    return false
  }

  private func exists(
    _ values: [CellValue], _ reference: TableMerge.Reference, _ parent: TableShape,
    _ database: Connection
  ) throws -> Bool {
    let condition = reference.parentColumns.map {
      "\(SQLName.quoted(parent.columns[$0].name)) = ?"
    }
    do {
      return try !database.cells(
        "SELECT 1 FROM main.\(SQLName.quoted(parent.name)) "
          + "WHERE \(condition.joined(separator: " AND ")) LIMIT 1", values
      ).isEmpty
    } catch let error as SQLiteError where error.code == .error {
      return false
    }
  }
}
