package import OpenWOSQLite

/// Makes one table, or one row of it, what it is in another database, in a private copy.
///
/// Triggers do not fire: the rows are as they were, with what triggers had made of them.
package struct RowRestoration {
  private let table: String
  private let key: [String]?

  /// Restores a table; with a key, as a person types it, only one row.
  package init(table: String, key: [String]?) {
    (self.table, self.key) = (table, key)
  }

  /// Writes into `copy` what `version` has; returns what that changed.
  ///
  /// - Throws: `MergeRefusal`.
  package func write(from version: Connection, into copy: Connection) throws -> TableDifference {
    let schema = try SchemaReader(connection: copy).read()
    let other = try SchemaReader(connection: version).read()
    guard let shape = try schema.writable(table, copy)?.shape else { throw refusal(schema, "now") }
    guard try other.writable(table, version) != nil else { throw refusal(other, "then") }
    var found = try difference(version, copy, shape.name)
    if let key {
      found.rows = found.rows.filter { $0.isNamed(by: key) }
      try check(found, key, version, copy)
    }
    found.count()
    let reference = Set(try copy.foreignKeyViolations(limit: 1000))
    try copy.disableTriggers()
    try copy.withoutForeignKeys {
      try copy.transaction(.immediate) {
        try put(found, shape, copy)
        try rebuildIndexes(schema, copy)
      }
    }
    if let broken = try copy.foreignKeyViolations(limit: 1000).first(where: {
      !reference.contains($0)
    }) {
      throw MergeRefusal(
        shape.name, "a row of \(broken.table) would point at a missing row of \(broken.parent)")
    }
    return found
  }

  private func difference(
    _ version: Connection, _ copy: Connection, _ name: String
  ) throws -> TableDifference {
    var options = DifferenceOptions.forReading(rows: .all)
    options.onlyTables = [SQLName.folded(name)]
    let found = try OpenWOMerge.difference(from: copy, to: version, options: options)
    let table = found.tables.first { SQLName.folded($0.table) == SQLName.folded(name) }
    if let reason = table?.notCompared { throw MergeRefusal(name, reason) }
    return table
      ?? TableDifference(table: name, keyedBy: .rowid, oldColumns: [], newColumns: [])
  }

  private func refusal(_ schema: DatabaseSchema, _ when: String) -> MergeRefusal {
    let folded = SQLName.folded(table)
    let isThere = schema.entries.contains {
      $0.type == "table" && SQLName.folded($0.name) == folded
    }
    let verb = when == "now" ? "is" : "was"
    return MergeRefusal(
      table,
      isThere ? "its rows cannot be restored one by one" : "there \(verb) no such table \(when)")
  }

  private func check(
    _ found: TableDifference, _ key: [String], _ version: Connection, _ copy: Connection
  ) throws {
    if !found.rows.isEmpty { return }
    let rows = try [version, copy].compactMap { try TableRow($0, table: table, key: key) }
    guard rows.count == 2 else { throw MergeRefusal(table, "its rows are not found by such a key") }
    guard rows.contains(where: { $0.values != nil }) else {
      throw MergeRefusal(table, "there is no such row, neither then nor now")
    }
  }

  private func put(
    _ found: TableDifference, _ shape: TableShape, _ copy: Connection
  ) throws {
    let writer = RowWriter(connection: copy, shape: shape)
    var waiting: [MergeRow] = []
    for change in found.rows where change.new == nil {
      try change.old.map { try writer.delete(row($0, found.oldColumns, change.key, shape)) }
    }
    for change in found.rows {
      guard let values = change.new else { continue }
      let new = row(values, found.newColumns, change.key, shape)
      guard let before = change.old else {
        waiting.append(new)
        continue
      }
      let old = row(before, found.oldColumns, change.key, shape)
      let columns = new.cells.indices.filter {
        new.cells[$0] != nil && new.cells[$0] != old.cells[$0]
      }
      if shape.rootPage > 0, (try? writer.update(old, to: new, columns: columns)) != nil {
        continue
      }
      // Two rows may have changed places in a UNIQUE key, and a module may want the whole row.
      waiting.append(try writer.complete(new, from: old))
      try writer.delete(old)
    }
    do {
      for row in waiting { try writer.insert(row) }
    } catch let error as SQLiteError where error.code == .constraint {
      throw MergeRefusal(shape.name, error.message)
    }
  }

  /// A row by the columns that the table has now.
  private func row(
    _ values: [CellValue], _ columns: [String], _ key: [CellValue], _ shape: TableShape
  ) -> MergeRow {
    let places = Dictionary(
      columns.enumerated().map { (SQLName.folded($1), $0) }, uniquingKeysWith: { a, _ in a })
    let isNumbered = if case .rowid = shape.identity { true } else { false }
    return MergeRow(
      rowid: isNumbered ? key.first?.int : nil,
      cells: shape.columns.map { places[SQLName.folded($0.name)].map { values[$0] } })
  }

  /// Full-text tables over the rows of this table learn what became of them.
  private func rebuildIndexes(_ schema: DatabaseSchema, _ copy: Connection) throws {
    for entry in schema.entries {
      guard let content = entry.contentTable.map(SQLName.folded),
        content == SQLName.folded(table)
          || schema.entries.contains(where: {
            $0.type == "view" && SQLName.folded($0.name) == content
          })
      else { continue }
      let name = SQLName.quoted(entry.name)
      try copy.run("INSERT INTO main.\(name)(\(name)) VALUES ('rebuild')")
    }
  }
}

extension RowChange {
  fileprivate func isNamed(by words: [String]) -> Bool {
    key.count == words.count
      && zip(key, words).allSatisfy { CellValue.meant(by: $1).contains($0) }
  }
}

extension TableDifference {
  fileprivate mutating func count() {
    (inserted, updated, deleted) = (0, 0, 0)
    for row in rows {
      switch row.kind {
      case .inserted: inserted += 1
      case .updated: updated += 1
      case .deleted: deleted += 1
      }
    }
  }
}
