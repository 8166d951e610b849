import OpenWOSQLite

/// Writes rows of one table into the result, every value bound.
///
/// `OR ABORT`, as the table may say `ON CONFLICT REPLACE` or `IGNORE` of itself: then other rows would go, or this one, and nobody knew.
struct RowWriter {
  let connection: Connection
  let shape: TableShape
  private let texts = Texts()

  init(connection: Connection, shape: TableShape) {
    self.connection = connection
    self.shape = shape
  }

  /// Statements that very many rows may share.
  private final class Texts {
    var updates: [[Int]: String] = [:]
  }

  private var table: String { "main." + SQLName.quoted(shape.name) }

  /// Takes one row out.
  func delete(_ row: MergeRow) throws {
    let (condition, arguments) = condition(row)
    guard isByWholeRow(row) else {
      return try connection.run("DELETE FROM \(table) WHERE \(condition)", arguments)
    }
    if let rowid = shape.rowidName.map(SQLName.quoted) {
      return try connection.run(
        "DELETE FROM \(table) WHERE \(rowid) = "
          + "(SELECT \(rowid) FROM \(table) WHERE \(condition) LIMIT 1)", arguments)
    }
    let count = try connection.cells("SELECT count(*) FROM \(table) WHERE \(condition)", arguments)
    try connection.run("DELETE FROM \(table) WHERE \(condition)", arguments)
    for _ in 1..<max(1, count.first?.first?.int ?? 0) { try insert(row) }
  }

  /// Puts a row in; absent values are left to the column's default.
  func insert(_ row: MergeRow) throws {
    var names: [String] = []
    var marks: [String] = []
    var arguments: [CellValue] = []
    if let rowid = row.rowid, shape.rowidColumn == nil, let name = shape.rowidName {
      names.append(SQLName.quoted(name))
      marks.append("?")
      arguments.append(.integer(rowid))
    }
    for (column, value) in zip(shape.columns, row.cells) {
      guard let value else { continue }
      names.append(SQLName.quoted(column.name))
      marks.append("?")
      arguments.append(value)
    }
    let values =
      names.isEmpty
      ? "DEFAULT VALUES"
      : "(\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    try connection.run("INSERT OR ABORT INTO \(table) \(values)", arguments)
  }

  /// Sets some columns of a row.
  func update(_ row: MergeRow, to new: MergeRow, columns: [Int]) throws {
    if case .rowid = shape.identity, let name = shape.rowidName {
      let sql =
        texts.updates[columns]
        ?? {
          let settings = columns.map { "\(SQLName.quoted(shape.columns[$0].name)) = ?" }
          return "UPDATE OR ABORT \(table) SET \(settings.joined(separator: ", ")) "
            + "WHERE \(SQLName.quoted(name)) = ?"
        }()
      texts.updates[columns] = sql
      let values = columns.compactMap { new.cells[$0] }
      if values.count == columns.count {
        return try connection.run(sql, values + [.integer(row.rowid ?? 0)])
      }
    }
    let settings = columns.compactMap { column -> (String, CellValue)? in
      guard let value = new.cells[column] else { return nil }
      return ("\(SQLName.quoted(shape.columns[column].name)) = ?", value)
    }
    let (condition, arguments) = condition(row)
    try connection.run(
      "UPDATE OR ABORT \(table) SET \(settings.map(\.0).joined(separator: ", ")) WHERE \(condition)",
      settings.map(\.1) + arguments)
  }

  /// The values of the row with this one's key; nil if there is none.
  func find(_ row: MergeRow) throws -> [CellValue]? {
    let (condition, arguments) = condition(row)
    let columns = shape.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    return try connection.cells(
      "SELECT \(columns) FROM \(table) WHERE \(condition) LIMIT 1", arguments
    ).first
  }

  /// The row with the values it lacks filled in from the database.
  func complete(_ row: MergeRow, from old: MergeRow) throws -> MergeRow {
    guard row.cells.contains(nil) else { return row }
    let (condition, arguments) = condition(old)
    let columns = shape.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    let found = try connection.cells(
      "SELECT \(columns) FROM \(table) WHERE \(condition) LIMIT 1", arguments)
    guard let stored = found.first else { return row }
    var row = row
    for index in row.cells.indices where row.cells[index] == nil {
      row.cells[index] = stored[index]
    }
    return row
  }

  private func isByWholeRow(_ row: MergeRow) -> Bool {
    switch shape.identity {
    case .rowid: false
    case .primaryKey(let key): key.contains { row.cells[$0.column]?.isNull ?? true }
    case .wholeRow: true
    }
  }

  /// What finds a row, and the values in it.
  func condition(_ row: MergeRow) -> (String, [CellValue]) {
    if case .rowid = shape.identity, let name = shape.rowidName {
      return ("\(SQLName.quoted(name)) = ?", [.integer(row.rowid ?? 0)])
    }
    var parts: [String] = []
    var arguments: [CellValue] = []
    func add(_ column: Int, _ collation: KeyCollation, exactly: Bool) {
      guard let value = row.cells[column] else { return }
      let name = SQLName.quoted(shape.columns[column].name)
      parts.append("\(name) COLLATE \(collation.name) IS ?")
      arguments.append(value)
      if exactly {
        parts.append("typeof(\(name)) = typeof(?)")
        arguments.append(value)
      }
    }
    if case .primaryKey(let key) = shape.identity, !isByWholeRow(row) {
      // The key may tell more texts apart than the column does.
      for part in key { add(part.column, part.collation, exactly: false) }
    } else {
      for column in shape.columns.indices { add(column, .binary, exactly: true) }
    }
    return (parts.joined(separator: " AND "), arguments)
  }
}
