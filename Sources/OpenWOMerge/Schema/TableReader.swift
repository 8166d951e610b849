import OpenWOSQLite

/// Reads the shape of one table through SQLite's pragmas.
struct TableReader {
  private let connection: Connection
  private let entry: SchemaEntry
  private let indexNames: Set<String>

  init(_ connection: Connection, _ entry: SchemaEntry, indexNames: Set<String>) {
    self.connection = connection
    self.entry = entry
    self.indexNames = indexNames
  }

  private struct Declared {
    let name: String
    let type: String
    let isNotNull: Bool
    let defaultSQL: String?
    let isKey: Bool
    let hidden: Int64
  }

  /// The shape; nil if SQLite does not know the table.
  func read() throws -> TableShape? {
    let declared = try pragma("table_xinfo", entry.name).compactMap { row -> Declared? in
      guard row.count >= 7, let name = row[1].string else { return nil }
      return Declared(
        name: name, type: row[2].string ?? "", isNotNull: row[3] != .integer(0),
        defaultSQL: row[4].string, isKey: row[5] != .integer(0), hidden: row[6].int ?? 0)
    }
    guard !declared.isEmpty else { return nil }
    let keyIndex = try pragma("index_list", entry.name)
      .first { $0.count > 3 && $0[3].string == "pk" }?[1].string
    let isWithoutRowid = keyIndex.map { !indexNames.contains(SQLName.folded($0)) } ?? false
    let keyRows = try keyIndex.map { try pragma("index_xinfo", $0) } ?? []
    let fields = isWithoutRowid ? Self.fields(keyRows) : Self.fields(declared)
    var places: [Int: Int] = [:]
    var columns: [ColumnShape] = []
    for (index, column) in declared.enumerated() where column.hidden == 0 {
      guard let field = fields[index] else { return nil }
      places[index] = columns.count
      columns.append(
        ColumnShape(
          name: column.name, declaredType: column.type, isNotNull: column.isNotNull,
          defaultSQL: column.defaultSQL, field: field,
          isReal: ColumnShape.isReal(declaredType: column.type)))
    }
    let alias = keyIndex == nil ? declared.firstIndex(where: \.isKey).flatMap { places[$0] } : nil
    return shape(
      columns, Self.keyColumns(keyRows, places), alias: alias, isWithoutRowid: isWithoutRowid,
      allNames: declared.map(\.name))
  }

  private func shape(
    _ columns: [ColumnShape], _ key: [TableShape.KeyColumn], alias: Int?, isWithoutRowid: Bool,
    allNames: [String]
  ) -> TableShape {
    let taken = Set(allNames.map(SQLName.folded))
    let free = ["rowid", "oid", "_rowid_"].first { !taken.contains($0) }
    let rowidName = isWithoutRowid ? nil : alias.map { columns[$0].name } ?? free
    let identity: TableShape.Identity
    if alias != nil {
      identity = .rowid(isDeclared: true)
    } else if !key.isEmpty, isWithoutRowid || key.allSatisfy(\.collation.isKnown) {
      identity = .primaryKey(key)
    } else {
      identity = rowidName == nil ? .wholeRow : .rowid(isDeclared: false)
    }
    return TableShape(
      name: entry.name, sql: entry.sql ?? "", rootPage: entry.rootPage,
      isWithoutRowid: isWithoutRowid, columns: columns, identity: identity, rowidName: rowidName,
      rowidColumn: alias,
      isAutoincrement: SQLTokens(entry.sql ?? "").contains("AUTOINCREMENT"))
  }

  private static func keyColumns(
    _ rows: [[CellValue]], _ places: [Int: Int]
  ) -> [TableShape.KeyColumn] {
    rows.filter { $0.count > 5 && $0[5] != .integer(0) }.compactMap { row in
      guard let cid = row[1].int, let place = places[Int(cid)] else { return nil }
      return TableShape.KeyColumn(
        column: place, collation: KeyCollation(name: row[4].string ?? "BINARY"))
    }
  }

  /// Which value of a record each declared column is, in a table with rowids: virtual generated
  /// columns are not stored, all others are, in order.
  private static func fields(_ declared: [Declared]) -> [Int: Int] {
    var fields: [Int: Int] = [:]
    for (index, column) in declared.enumerated() where column.hidden != 2 {
      fields[index] = fields.count
    }
    return fields
  }

  /// The same in a WITHOUT ROWID table: the key's index holds all stored columns, key first.
  private static func fields(_ keyRows: [[CellValue]]) -> [Int: Int] {
    var fields: [Int: Int] = [:]
    for (field, row) in keyRows.enumerated() {
      if let cid = row[1].int, cid >= 0 { fields[Int(cid)] = field }
    }
    return fields
  }

  private func pragma(_ name: String, _ argument: String) throws -> [[CellValue]] {
    try connection.cells("PRAGMA main.\(name)(\(SQLName.quoted(argument)))")
  }
}
