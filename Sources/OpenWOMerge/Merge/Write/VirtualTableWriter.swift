import OpenWOSQLite

/// Brings virtual tables in step with the rows that were written.
struct VirtualTableWriter {
  let plan: MergePlan
  let connection: Connection

  func write() throws {
    for shape in plan.virtual.copied { try copy(shape) }
    for name in plan.virtual.rebuilt {
      let table = SQLName.quoted(name)
      do {
        try connection.run("INSERT INTO main.\(table)(\(table)) VALUES ('rebuild')")
      } catch let error as SQLiteError where !error.isPassing {
        throw MergeRefusal(name, "the virtual table cannot be rebuilt: \(error.message)")
      }
    }
  }

  private func copy(_ shape: TableShape) throws {
    let writer = RowWriter(connection: connection, shape: shape)
    try connection.run("DELETE FROM main.\(SQLName.quoted(shape.name))")
    let rows = RowScan(plan.sides[plan.ground.other], shape)
    while let row = try rows.next() {
      let rowid = shape.rowidName == nil ? nil : row.rowid
      try writer.insert(MergeRow(rowid: rowid, cells: row.values))
    }
  }
}
