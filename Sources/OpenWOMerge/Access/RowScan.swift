import OpenWOSQLite

/// All rows of one table, one by one: by rowid, or by primary key if there is no rowid.
///
/// Rows are fetched in batches, each from after the last row, so that two tables can be read in
/// step with little memory.
final class RowScan {
  private let connection: Connection
  private let table: TableShape
  private let order: [String]
  private let hidesRowid: Bool
  private var batch: [[CellValue]] = []
  private var position = 0
  private var isOver = false
  private var running: Statement?
  private static let largestBatch = 500
  private static let heaviestBatch = 4 << 20

  init(_ connection: Connection, _ table: TableShape) {
    self.connection = connection
    self.table = table
    hidesRowid = table.rowidName == nil
    if let rowid = table.rowidName {
      order = [SQLName.quoted(rowid)]
    } else if case .primaryKey(let key) = table.identity, key.allSatisfy(\.collation.isKnown) {
      order = key.map {
        "\(SQLName.quoted(table.columns[$0.column].name)) COLLATE \($0.collation.name)"
      }
    } else {
      order = []
    }
  }

  /// The next row, by the table's columns, and its rowid (0 if it has none); nil after the last.
  func next() throws -> (rowid: Int64, values: [CellValue])? {
    if table.rootPage == 0 { return try nextOfModule() }
    if position >= batch.count {
      if isOver { return nil }
      try fetch()
      if batch.isEmpty { return nil }
    }
    let row = batch[position]
    position += 1
    return hidesRowid ? (0, row) : (row[0].int ?? 0, Array(row.dropFirst()))
  }

  /// The next row of a virtual table, which a module would look for from its beginning each time.
  private func nextOfModule() throws -> (rowid: Int64, values: [CellValue])? {
    if running == nil {
      let statement = try connection.prepare(statement(after: nil).0)
      try statement.start()
      running = statement
    }
    let row = try running?.next { row in
      try (0..<row.count).map { try row.get($0) as CellValue }
    }
    return row.map { ($0[0].int ?? 0, Array($0.dropFirst())) }
  }

  private struct Enough: Error {}

  private func fetch() throws {
    let (sql, arguments) = statement(after: batch.last)
    batch.removeAll(keepingCapacity: true)
    position = 0
    isOver = true
    var weight = 0
    do {
      try connection.forEachRow(sql, arguments) { row in
        batch.append(row)
        weight += row.reduce(0) { $0 + $1.weight }
        let isMuch = batch.count >= Self.largestBatch || weight >= Self.heaviestBatch
        if isMuch, !order.isEmpty, canGoOn(after: row) { throw Enough() }
      }
    } catch is Enough {
      isOver = false
    }
  }

  private func statement(after last: [CellValue]?) -> (String, [CellValue]) {
    var columns = table.columns.map { SQLName.quoted($0.name) }
    if !hidesRowid { columns.insert(order[0], at: 0) }
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM main.\(SQLName.quoted(table.name))"
    var arguments: [CellValue] = []
    if let last {
      arguments = keyValues(last)
      let marks = Array(repeating: "?", count: arguments.count).joined(separator: ", ")
      sql += " WHERE (\(order.joined(separator: ", "))) > (\(marks))"
    }
    if !order.isEmpty { sql += " ORDER BY " + order.joined(separator: ", ") }
    return (sql, arguments)
  }

  /// Whether the rows after this one can be selected: nothing is greater than NULL, and text that
  /// is not UTF-8 changes in a UTF-16 database.
  private func canGoOn(after row: [CellValue]) -> Bool {
    keyValues(row).allSatisfy { value in
      switch value {
      case .null: false
      case .text(let bytes):
        String(validating: bytes, as: UTF8.self) != nil && !StoredText.hasReplaced(bytes)
      default: true
      }
    }
  }

  private func keyValues(_ row: [CellValue]) -> [CellValue] {
    guard hidesRowid else { return [row[0]] }
    guard case .primaryKey(let key) = table.identity else { return [] }
    return key.map { row[$0.column] }
  }
}
