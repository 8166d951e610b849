import OpenWOSQLite

/// Finds the rows of both sides that a unique index, or one over an expression, does not let stand together.
///
/// The merge is refused in any case, so the copy may be changed to find them.
struct IndexClash {
  let plan: MergePlan
  let connection: Connection

  /// The refusal for an index that cannot be made; nil if no row can be named.
  func refusal(_ index: String, _ table: String, _ sql: String) throws -> MergeRefusal? {
    guard let table = plan.tables[SQLName.folded(table)],
      let index = Index(index, sql, isNew: isNew(index))
    else { return nil }
    do {
      return try index.isUnique ? equalRows(in: index, table) : strangeRow(in: index, table)
    } catch let error as SQLiteError where !error.isPassing {
      return try strangeRow(in: index, table)
    }
  }

  /// The refusal for a row that cannot be put in.
  func refusal(_ row: MergeRow, _ table: TableMerge, _ message: String) throws -> MergeRefusal {
    let indexes = try connection.cells(
      "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND sql NOTNULL "
        + "AND tbl_name = ? COLLATE NOCASE", [.text(table.shape.name)]
    ).compactMap { Index($0[0].string ?? "", $0[1].string ?? "", isNew: false) }
    for index in indexes {
      try connection.run("DROP INDEX main.\(SQLName.quoted(index.name))")
      do {
        let writer = RowWriter(connection: connection, shape: table.shape)
        try writer.delete(row)
        try writer.insert(row)
      } catch is SQLiteError { continue }
      let found = try refusal(index.name, table.shape.name, index.sql)
      return try found ?? refusal([table.keyValues(row)], table, message)
    }
    let key = [table.keyValues(row)]
    for unique in table.uniques {
      guard let values = row.values(unique.columns) else { continue }
      let columns = zip(unique.columns, unique.collations).map {
        "\(SQLName.quoted(table.shape.columns[$0].name)) COLLATE \($1.name) = ?"
      }
      let found = try connection.cells(
        "SELECT \(keyNames(table)) FROM main.\(SQLName.quoted(table.shape.name)) "
          + "WHERE \(columns.joined(separator: " AND "))", values)
      if !found.isEmpty { return try refusal(found + key, table, message) }
    }
    return try refusal(key, table, message)
  }

  private struct Index {
    let name: String
    let sql: String
    let isUnique: Bool
    let isNew: Bool
    let terms: [String]
    let condition: String

    init?(_ name: String, _ sql: String, isNew: Bool) {
      guard let (terms, condition) = SQLTokens.indexTerms(of: sql) else { return nil }
      var tokens = SQLTokens(sql)
      _ = tokens.next()
      isUnique = tokens.next() == "UNIQUE"
      self.name = name
      self.sql = sql
      self.isNew = isNew
      self.terms = terms.map { "(\($0))" }
      self.condition = condition.map { "(\($0)) AND " } ?? ""
    }

    var reason: String {
      "the \(isUnique ? "unique " : "")index \(name)\(isNew ? ", which one side made," : "") allows "
        + "only one of them"
    }
  }

  /// Whether only one side has the index.
  private func isNew(_ index: String) -> Bool {
    let count = MergeSide.allCases.filter { side in
      let found = try? plan.sides[side].cells(
        "SELECT 1 FROM main.sqlite_master WHERE type = 'index' AND name = ? COLLATE NOCASE",
        [.text(index)])
      return !(found ?? []).isEmpty
    }
    return count.count == 1
  }

  private func equalRows(in index: Index, _ table: TableMerge) throws -> MergeRefusal? {
    let name = SQLName.quoted(table.shape.name)
    let known = index.terms.map { "\($0) NOTNULL" }.joined(separator: " AND ")
    let terms = index.terms.joined(separator: ", ")
    let values = try connection.cells(
      "SELECT \(terms) FROM main.\(name) WHERE \(index.condition)\(known) GROUP BY \(terms) "
        + "HAVING count(*) > 1 LIMIT 1")
    guard let values = values.first else { return nil }
    let same = index.terms.map { "\($0) = ?" }.joined(separator: " AND ")
    let rows = try connection.cells(
      "SELECT \(keyNames(table)) FROM main.\(name) WHERE \(index.condition)\(same) LIMIT 10", values
    )
    return try refusal(rows, table, index.reason)
  }

  /// The first changed row of which an index cannot compute what it is to hold.
  private func strangeRow(in index: Index, _ table: TableMerge) throws -> MergeRefusal? {
    let sql =
      "SELECT \(index.terms.joined(separator: ", ")) FROM main."
      + SQLName.quoted(table.shape.name)
    for side in MergeSide.allCases {
      for row in table.changes[side].compactMap(\.row) {
        let (condition, arguments) = RowWriter(connection: connection, shape: table.shape)
          .condition(row)
        do {
          try connection.run("\(sql) WHERE \(index.condition)\(condition)", arguments)
        } catch let error as SQLiteError where !error.isPassing {
          return try refusal(
            [table.keyValues(row)], table,
            "the index \(index.name), which one side made, cannot hold it: \(error.message)")
        }
      }
    }
    return nil
  }

  private func refusal(
    _ keys: [[CellValue]], _ table: TableMerge, _ reason: String
  ) throws -> MergeRefusal {
    let known = try keys.map { key in
      (key, try MergeSide.allCases.filter { try table.hasChanged(key, $0) })
    }.sorted { ($0.1 == [.theirs] ? 1 : 0) < ($1.1 == [.theirs] ? 1 : 0) }
    return MergeRefusal(
      table.shape.name, rows: known.map(\.0),
      sides: known.map { $0.1.count == 1 ? $0.1[0] : nil }, reason)
  }

  private func keyNames(_ table: TableMerge) -> String {
    table.keyFields.joined(separator: ", ")
  }
}

extension TableMerge {
  /// The columns that tell a row from others, as SQL names them.
  var keyFields: [String] {
    switch shape.identity {
    case .rowid: [shape.rowidName.map(SQLName.quoted) ?? "rowid"]
    case .primaryKey(let key): key.map { SQLName.quoted(shape.columns[$0.column].name) }
    case .wholeRow: shape.columns.map { SQLName.quoted($0.name) }
    }
  }
}
