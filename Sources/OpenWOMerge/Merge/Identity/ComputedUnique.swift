import OpenWOSQLite

/// A unique index over some rows only, or over expressions; SQLite computes its keys for new rows.
struct ComputedUnique {
  /// The index key of each new row of a side, by the row's own key.
  private(set) var keys = Sides<[CanonicalKey: CanonicalKey]>(ours: [:], theirs: [:])

  /// All such indexes of a table; one that cannot be computed here, as for a function of the application, is left out.
  static func all(
    for table: TableMerge, in sides: Sides<Connection>, of ground: Connection,
    where isWanted: (String) -> Bool
  ) throws -> [ComputedUnique] {
    guard table.changes.ours.contains(where: \.isInsert),
      table.changes.theirs.contains(where: \.isInsert)
    else { return [] }
    let indexes = try ground.cells("PRAGMA main.index_list(\(SQLName.quoted(table.shape.name)))")
    return try indexes.compactMap { row -> (String, String)? in
      guard row.count > 4, row[2] == .integer(1), row[3].string == "c", let name = row[1].string,
        isWanted(SQLName.folded(name))
      else { return nil }
      let parts = try ground.cells("PRAGMA main.index_xinfo(\(SQLName.quoted(name)))")
      let isPlain = row[4] == .integer(0) && !parts.contains { $0[1] == .integer(-2) }
      if isPlain { return nil }
      let sql = try ground.cells(
        "SELECT sql FROM main.sqlite_master WHERE type = 'index' AND name = ?", [.text(name)])
      return sql.first?.first?.string.map { (name, $0) }
    }.sorted { $0.0 < $1.0 }.compactMap { name, sql in
      let parts = try ground.cells("PRAGMA main.index_xinfo(\(SQLName.quoted(name)))")
        .filter { $0[5] == .integer(1) }
      let collations = parts.map { KeyCollation(name: $0[4].string ?? "BINARY") }
      guard let terms = SQLTokens.indexTerms(of: sql), terms.terms.count == collations.count else {
        return nil
      }
      return try ComputedUnique(table, terms, collations, sides)
    }
  }

  private init?(
    _ table: TableMerge, _ index: (terms: [String], condition: String?),
    _ collations: [KeyCollation], _ sides: Sides<Connection>
  ) throws {
    let own: [String]
    switch table.shape.identity {
    case .rowid: own = [table.shape.rowidName].compactMap(\.self)
    case .primaryKey(let key): own = key.map { table.shape.columns[$0.column].name }
    case .wholeRow: return nil
    }
    let fields = own.map(SQLName.quoted) + index.terms.map { "(\($0))" }
    let sql =
      "SELECT \(fields.joined(separator: ", ")) FROM main.\(SQLName.quoted(table.shape.name))"
      + (index.condition.map { " WHERE \($0)" } ?? "")
    for side in MergeSide.allCases {
      let new = Set(
        table.changes[side].filter(\.isInsert).compactMap { $0.original.map(table.key) })
      do {
        try sides[side].forEachRow(sql) { row in
          let key = table.key(named: Array(row.prefix(own.count)))
          let values = Array(row.dropFirst(own.count))
          guard new.contains(key), !values.contains(where: \.isNull) else { return }
          keys[side][key] = CanonicalKey(values, collations: collations)
        }
      } catch let error as SQLiteError where !error.isPassing {
        return nil
      }
    }
  }
}

extension TableMerge {
  /// The key that a row with these key values is found under.
  func key(named values: [CellValue]) -> CanonicalKey {
    guard case .primaryKey(let key) = shape.identity else {
      return CanonicalKey(values, collations: [])
    }
    return CanonicalKey(values, collations: key.map(\.collation))
  }
}
