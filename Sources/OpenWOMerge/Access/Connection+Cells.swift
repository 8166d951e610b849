import OpenWOSQLite

extension Connection {
  /// Runs one statement and hands over its rows, every value exact.
  func forEachRow(
    _ sql: String, _ arguments: [CellValue] = [], _ body: ([CellValue]) throws -> Void
  ) throws {
    _ = try rows(sql, arguments: arguments) { row in
      var values: [CellValue] = []
      values.reserveCapacity(row.count)
      for index in 0..<row.count { values.append(try row.get(index)) }
      try body(values)
    }
  }

  /// All rows of a query.
  func cells(_ sql: String, _ arguments: [CellValue] = []) throws -> [[CellValue]] {
    var rows: [[CellValue]] = []
    try forEachRow(sql, arguments) { rows.append($0) }
    return rows
  }

  /// Runs one statement to its end.
  func run(_ sql: String, _ arguments: [CellValue] = []) throws {
    try forEachRow(sql, arguments) { _ in }
  }
}
