import OpenWOSQLite

/// A table that is in one of the two databases only: all of its rows are inserted, or deleted.
struct OneSidedTable {
  let connection: Connection
  let table: TableShape
  let isNew: Bool
  let collector: ChangeCollector

  func run() throws {
    let rows = RowScan(connection, table)
    while let row = try rows.next() {
      try collector.add(
        key: key(row.rowid, row.values), old: isNew ? nil : { row.values },
        new: isNew ? { row.values } : nil)
    }
  }

  private func key(_ rowid: Int64, _ values: [CellValue]) -> [CellValue] {
    switch table.identity {
    case .primaryKey(let key): key.map { values[$0.column] }
    case .rowid: [.integer(rowid)]
    case .wholeRow: values
    }
  }
}
