package import OpenWOSQLite

/// Writes an SQL script that turns one database into another when the `sqlite3` shell reads it.
///
/// It runs in one transaction with foreign keys and triggers out of the way, as the rows it writes are
/// the result of both already. Rows of virtual tables are written through their modules. What cannot be written in
/// that way is left out, and said to be not compared.
package struct SQLScript {
  private let old: Connection
  private let new: Connection
  private let isForEmpty: Bool
  private let write: (String) throws -> Void
  private let usesPages: Bool
  /// So many changed rows of a table are kept; those of a table with more are looked for again.
  var keptRows = 10_000

  /// A script from `old` to `new`, passed to `write` piece by piece; each piece ends with a
  /// newline.
  ///
  /// With `isForEmpty` the script is for an empty database, which takes its text encoding from it.
  package init(
    from old: Connection, to new: Connection, isForEmpty: Bool = false,
    write: @escaping (String) throws -> Void
  ) {
    self.isForEmpty = isForEmpty
    self.old = old
    self.new = new
    self.write = write
    // Within the read locks it could not be told any more.
    usesPages = !old.isInTransaction && !new.isInTransaction
  }

  /// Writes the script; returns the difference it is made of.
  ///
  /// Nothing is written for none.
  @discardableResult
  package func run() throws -> DatabaseDifference {
    try old.withReadLock { try new.withReadLock { try compareAndWrite() } }
  }

  private func compareAndWrite() throws -> DatabaseDifference {
    var options = DifferenceOptions.forReading(rows: .upTo(keptRows))
    options.usesPages = usesPages
    var found = try DatabaseComparison(old, new, options, visit: nil).run()
    if found.equal, found.sequences.isEmpty { return found }
    let before = try SchemaReader(connection: old).read()
    let after = try SchemaReader(connection: new).read()
    let plan = ScriptPlan(found, before, after, virtual: try virtual(after))
    let text = isForEmpty ? after.text : before.text
    let literal = SQLLiteral(text: text, readReal: readReal)
    if isForEmpty, let name = text.encodingName { try line("PRAGMA encoding='\(name)';") }
    try line("PRAGMA foreign_keys=OFF;")
    try line("BEGIN;")
    for statement in plan.before { try line(statement) }
    for table in plan.rebuilt { try dump(table, as: table, literal) }
    for table in plan.filled { try dump(table.source, as: table.shape, literal) }
    for (difference, shape, usesUpdates) in plan.changed {
      let script = TableScript(shape, usesUpdates: usesUpdates, literal)
      try rows(difference, script, clears: !usesUpdates || difference.deleted > 0)
    }
    for (difference, table) in plan.rewritten {
      try rows(difference, TableScript(table.shape, usesUpdates: false, literal), clears: true)
    }
    for statement in plan.after { try line(statement) }
    // A row that is put in raises its table's counter, whether the databases differ in that or not.
    let written = plan.rebuilt + plan.changed.map(\.1)
    try sequences(found.sequences, after, written: written)
    try line("COMMIT;")
    found.note(plan.leftOut)
    return found
  }

  private func virtual(_ schema: DatabaseSchema) throws -> [String: VirtualRows] {
    let entries = schema.entries.filter { $0.module != nil }
    return try Dictionary(
      entries.map { (SQLName.folded($0.name), try VirtualRows($0, in: schema, new)) },
      uniquingKeysWith: { $1 })
  }

  private func rows(
    _ difference: TableDifference, _ script: TableScript, clears: Bool
  ) throws {
    if clears { try forEachRow(of: difference) { try script.clear($0).map(line) } }
    try forEachRow(of: difference) { try script.put($0).map(line) }
  }

  /// The changed rows of a table in order, however many they are.
  private func forEachRow(
    of table: TableDifference, _ body: (RowChange) throws -> Void
  ) throws {
    guard table.isCutShort else { return try table.rows.forEach(body) }
    var done = 0
    do {
      try find(table, usesPages: usesPages) { change in
        try body(change)
        done += 1
      }
    } catch is MalformedPage {
      // SQLite may read what we do not, and finds the rest.
      var passed = 0
      try find(table, usesPages: false) { change in
        passed += 1
        if passed > done { try body(change) }
      }
    }
  }

  /// Finds the changed rows of a table once more.
  private func find(
    _ table: TableDifference, usesPages: Bool, _ body: (RowChange) throws -> Void
  ) throws {
    var options = DifferenceOptions.forReading()
    options.onlyTables = [SQLName.folded(table.table)]
    options.usesPages = usesPages
    try withoutActuallyEscaping(body) { body in
      _ = try DatabaseComparison(old, new, options) { found, change in
        if found.table.utf8.elementsEqual(table.table.utf8) { try body(change) }
      }.run()
    }
  }

  private func line(_ text: String) throws { try write(text + "\n") }

  private func dump(_ table: TableShape, as shape: TableShape, _ literal: SQLLiteral) throws {
    let script = TableScript(shape, usesUpdates: false, literal)
    let rows = RowScan(new, table)
    while let row = try rows.next() {
      try line(try script.insert(row.values, rowid: table.rowidName == nil ? nil : row.rowid))
    }
  }

  private func sequences(
    _ changes: [SequenceChange], _ after: DatabaseSchema, written: [TableShape]
  ) throws {
    let counters = Dictionary(
      try new.cells(
        after.entries.contains { $0.name == "sqlite_sequence" }
          ? "SELECT name, seq FROM main.sqlite_sequence" : "SELECT 1, 1 WHERE 0"
      ).compactMap { row in row[0].string.map { (SQLName.bytewise($0), row[1].int) } },
      uniquingKeysWith: { a, _ in a })
    let names = Set(
      (changes.map(\.table) + written.filter(\.isAutoincrement).map(\.name)).map(SQLName.bytewise))
    for name in names.sorted() where after.tables[SQLName.folded(name)]?.isAutoincrement == true {
      let quoted = SQLName.doubled(SQLName.plain(name), 0x27)
      try line("DELETE FROM sqlite_sequence WHERE name=\(quoted);")
      if case let value?? = counters[name] {
        try line("INSERT INTO sqlite_sequence(name, seq) VALUES(\(quoted), \(value));")
      }
    }
  }

  private func readReal(_ text: String) throws -> Double? {
    guard
      case .real(let real)? = try old.cells("SELECT CAST(? AS REAL)", [.text(text)]).first?.first
    else { return nil }
    return real
  }
}

extension DatabaseDifference {
  /// Says that a script leaves out what only an unknown module can make.
  fileprivate mutating func note(_ leftOut: [SchemaEntry]) {
    for entry in leftOut {
      var table = TableDifference(
        table: entry.name, keyedBy: .rowid, oldColumns: [], newColumns: [])
      table.notCompared = "its module \(entry.module ?? "") is not known here"
      tables.removeAll { SQLName.folded($0.table) == SQLName.folded(entry.name) }
      tables.append(table)
    }
  }
}
