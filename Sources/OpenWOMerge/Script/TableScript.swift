/// The statements for changed rows of one table.
struct TableScript {
  private let shape: TableShape
  private let usesUpdates: Bool
  private let literal: SQLLiteral

  /// Writes for one table; with `usesUpdates` changed rows are updated in place.
  ///
  /// If a unique value of a row might still belong to another row, the row is deleted first and
  /// inserted again.
  init(_ shape: TableShape, usesUpdates: Bool, _ literal: SQLLiteral) {
    self.shape = shape
    self.usesUpdates = usesUpdates
    self.literal = literal
  }

  /// Takes away what must go before anything is put.
  func clear(_ change: RowChange) throws -> String? {
    if change.kind == .inserted || (change.kind == .updated && usesUpdates) { return nil }
    return "DELETE FROM \(SQLName.quoted(shape.name)) WHERE \(try condition(change));"
  }

  /// Puts the row as it must be.
  func put(_ change: RowChange) throws -> String? {
    guard let new = change.new else { return nil }
    guard let old = change.old, usesUpdates else {
      let isByRowid = if case .rowid = shape.identity { true } else { false }
      return try insert(new, rowid: isByRowid ? change.key.first?.int : nil)
    }
    let settings = try shape.columns.indices.filter { old[$0] != new[$0] }.map {
      try "\(SQLName.quoted(shape.columns[$0].name))=\(literal.spell(new[$0]))"
    }
    return "UPDATE \(SQLName.quoted(shape.name)) SET \(settings.joined(separator: ", ")) "
      + "WHERE \(try condition(change));"
  }

  /// Inserts a whole row, with a rowid if one is given.
  func insert(_ row: [CellValue], rowid: Int64?) throws -> String {
    var names = shape.columns.map { SQLName.quoted($0.name) }
    var values = try row.map(literal.spell)
    if let rowid, shape.rowidColumn == nil, let name = shape.rowidName {
      names.insert(SQLName.quoted(name), at: 0)
      values.insert(String(rowid), at: 0)
    }
    return "INSERT INTO \(SQLName.quoted(shape.name))(\(names.joined(separator: ", "))) "
      + "VALUES(\(values.joined(separator: ", ")));"
  }

  private func condition(_ change: RowChange) throws -> String {
    guard case .primaryKey(let key) = shape.identity else {
      return "\(SQLName.quoted(shape.rowidName ?? "rowid"))=\(try literal.spell(change.key[0]))"
    }
    // The key may tell more texts apart than the column does.
    let namesCollations = SQLTokens(shape.sql).contains("COLLATE")
    return try zip(key, change.key).map { part, value in
      let name = SQLName.quoted(shape.columns[part.column].name)
      let collation = namesCollations ? " COLLATE \(part.collation.name)" : ""
      return try "\(name)\(collation)=\(literal.spell(value))"
    }.joined(separator: " AND ")
  }
}
