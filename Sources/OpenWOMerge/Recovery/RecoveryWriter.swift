import OpenWOSQLite

/// Fills the new database of a recovery.
struct RecoveryWriter {
  var report = Recovery.Report()
  private let target: Connection
  private let salvage: Salvage
  /// Rows that their own table refused.
  private var refused: [(table: UInt32, row: Salvage.Row)] = []

  init(_ target: Connection, _ salvage: Salvage) {
    (self.target, self.salvage) = (target, salvage)
  }

  func prepare(pageSize: Int, _ header: DatabaseHeader?) throws {
    let encoding =
      switch salvage.text {
      case .utf8: "UTF-8"
      case .utf16LittleEndian: "UTF-16le"
      case .utf16BigEndian: "UTF-16be"
      }
    try target.executeScript(
      """
      PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding)';
      PRAGMA ignore_check_constraints = ON;
      PRAGMA user_version = \(header?.userVersion ?? 0);
      PRAGMA application_id = \(header?.applicationID ?? 0);
      """)
  }

  /// Makes the tables and fills them with the rows of their trees.
  mutating func writeTables(_ schema: [SchemaRow]) throws {
    let tables = schema.filter { $0.kind == "table" && $0.root > 0 }
    for row in tables where !row.name.hasPrefix("sqlite_") { try writeTable(row) }
    if let counters = tables.first(where: { $0.name == "sqlite_sequence" }) {
      try writeCounters(counters)
    }
    // Indexes are rebuilt, so nothing is missing if their pages are lost.
    for row in schema where row.kind == "index" || row.name.hasPrefix("sqlite_") {
      try salvage.forEachRow(root: row.root, isTable: false) { _ in }
      if row.kind == "table" { try salvage.forEachRow(root: row.root, isTable: true) { _ in } }
    }
  }

  private mutating func writeTable(_ row: SchemaRow) throws {
    guard let columns = try create(row) else { return }
    var count = 0
    let fields = columns.fields.max() ?? 0
    try salvage.forEachRow(root: row.root, isTable: !row.isWithoutRowID) { found in
      guard found.values.count <= fields + 1, try insert(found, row.name, columns) else {
        refused.append((row.root, found))
        return
      }
      count += 1
    }
    report.names.append(row.name)
    report.rows.append(count)
  }

  /// The columns of a table, as its rows are stored.
  private struct Columns {
    var names: [String]
    var fields: [Int]
    var rowidColumn: Int?
    /// How SQL names the rowid if no column is it.
    var rowidName: String?
  }

  private mutating func create(_ row: SchemaRow) throws -> Columns? {
    guard let sql = row.sql else { return nil }
    do {
      try target.executeScript(SQLTokens.firstStatement(of: sql, isTrigger: false))
      let schema = try SchemaReader(connection: target).read()
      let name = SQLName.folded(row.name)
      if let shape = schema.tables[name] ?? schema.shadowTables[name] {
        return Columns(
          names: shape.columns.map(\.name), fields: shape.columns.map(\.field),
          rowidColumn: shape.rowidColumn,
          rowidName: shape.rowidColumn == nil && !shape.isWithoutRowid ? shape.rowidName : nil)
      }
      report.notes.append("table \(row.name): its rows are in lost_and_found")
    } catch let error as SQLiteError where !error.isPassing {
      guard let plain = PlainTable(row),
        (try? target.executeScript(plain.createStatement(row.name))) != nil
      else {
        report.notes.append("table \(row.name) could not be made: \(error.message)")
        return nil
      }
      report.notes.append("table \(row.name) has no constraints: \(error.message)")
      return Columns(
        names: plain.columns, fields: plain.fields, rowidColumn: plain.rowidColumn,
        rowidName: plain.rowidColumn == nil ? "rowid" : nil)
    }
    return nil
  }

  /// Writes a row; false if the table does not take it.
  private func insert(
    _ row: Salvage.Row, _ table: String, _ columns: Columns
  ) throws -> Bool {
    var (names, values): ([String], [CellValue]) = ([], [])
    if let rowid = columns.rowidName {
      names.append(rowid)
      values.append(.integer(row.rowid))
    }
    for (index, field) in columns.fields.enumerated() {
      let isRowid = index == columns.rowidColumn
      // A missing value gets its default.
      guard isRowid || field < row.values.count else { continue }
      names.append(SQLName.quoted(columns.names[index]))
      values.append(isRowid ? .integer(row.rowid) : row.values[field])
    }
    do {
      return try target.execute(
        "INSERT OR IGNORE INTO \(SQLName.quoted(table)) (\(names.joined(separator: ", "))) VALUES "
          + "(\(names.map { _ in "?" }.joined(separator: ", ")))", arguments: values) > 0
    } catch let error as SQLiteError where !error.isPassing {
      return false
    }
  }

  /// The counters of AUTOINCREMENT, as far as their tables are there.
  private func writeCounters(_ row: SchemaRow) throws {
    try salvage.forEachRow(root: row.root, isTable: true) { found in
      guard found.values.count == 2, try has("sqlite_sequence") else { return }
      try target.run("DELETE FROM sqlite_sequence WHERE name IS ?", [found.values[0]])
      try target.run("INSERT INTO sqlite_sequence VALUES(?, ?)", found.values)
    }
  }

  private func has(_ table: String) throws -> Bool {
    try !target.cells("SELECT 1 FROM sqlite_schema WHERE name = ?", [.text(Array(table.utf8))])
      .isEmpty
  }
}

/// Rows that no table takes, and parts of the schema other than tables.
extension RecoveryWriter {
  /// Writes rows that no table takes.
  mutating func writeOrphans() throws {
    var widest = refused.map(\.row.values.count).max() ?? 0
    let unreadable = salvage.lostRows
    try salvage.forEachOrphan { widest = max(widest, $0.values.count) }
    salvage.lostRows = unreadable
    guard widest > 0 else { return }
    var name = "lost_and_found"
    var number = 0
    while try has(name) {
      name = "lost_and_found_\(number)"
      number += 1
    }
    let width = min(widest, 1990)
    let columns = (0..<width).map { "c\($0)" }.joined(separator: ", ")
    try target.executeScript(
      "CREATE TABLE \(name) (rootpgno INTEGER, pgno INTEGER, nfield INTEGER, id INTEGER, \(columns))"
    )
    let marks = Array(repeating: "?", count: width + 4).joined(separator: ", ")
    var count = 0
    func add(_ root: UInt32, _ row: Salvage.Row) throws {
      let values = row.values.prefix(width)
      let places = [root, row.page].map { CellValue.integer(Int64($0)) }
      let rest = Array(repeating: CellValue.null, count: width - values.count)
      let facts = [CellValue.integer(Int64(row.values.count)), .integer(row.rowid)]
      _ = try target.execute(
        "INSERT INTO \(name) VALUES (\(marks))", arguments: places + facts + values + rest)
      count += 1
    }
    for (table, row) in refused { try add(table, row) }
    try salvage.forEachOrphan { try add($0.page, $0) }
    report.lostTable = name
    report.lostTableRows = count
  }

  /// Makes indexes, views and triggers, and names the virtual tables, whose rows are in tables of their own.
  mutating func writeRest(_ schema: [SchemaRow]) throws {
    for row in schema where row.kind == "table" && row.root == 0 {
      guard let sql = row.sql, !row.name.hasPrefix("sqlite_") else { continue }
      try target.executeScript("PRAGMA writable_schema = ON")
      try target.run(
        "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES('table', ?, ?, 0, ?)",
        [row.name, row.name, sql].map { .text(Array($0.utf8)) })
      try target.executeScript("PRAGMA writable_schema = OFF")
    }
    for kind in ["index", "view", "trigger"] {
      for row in schema where row.kind == kind {
        guard let sql = row.sql else { continue }
        do {
          try target.executeScript(
            SQLTokens.firstStatement(of: sql, isTrigger: kind == "trigger"))
        } catch let error as SQLiteError where !error.isPassing {
          report.notes.append("\(kind) \(row.name) was left out: \(error.message)")
        }
      }
    }
  }
}
