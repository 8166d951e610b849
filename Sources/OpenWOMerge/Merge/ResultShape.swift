/// The shape of a table of which both sides changed the definition.
struct ResultShape {
  let definition: TableDefinition
  let sql: String
  let ground: TableShape
  let other: TableShape

  /// The shape; a refusal if the two find rows in different ways.
  func shape() throws -> TableShape {
    guard ground.keyNames == other.keyNames,
      (ground.rowidColumn == nil) == (other.rowidColumn == nil)
    else { throw MergeRefusal(ground.name, "one side changed the table's key") }
    let own = TableDefinition(ground.sql)
    let columns = definition.parts.compactMap { part -> ColumnShape? in
      guard let name = part.column else { return nil }
      let isMine = own?.column(name)?.tokens == part.tokens
      return (isMine ? ground : other).column(name)
    }
    func place(_ column: Int) -> Int? {
      let name = SQLName.folded(ground.columns[column].name)
      return columns.firstIndex { SQLName.folded($0.name) == name }
    }
    var identity = ground.identity
    if case .primaryKey(let key) = identity {
      identity = .primaryKey(
        key.compactMap { part in
          place(part.column).map { TableShape.KeyColumn(column: $0, collation: part.collation) }
        })
    }
    return TableShape(
      name: ground.name, sql: sql, rootPage: 0,
      isWithoutRowid: definition.tail.tokens.contains("WITHOUT"), columns: columns,
      identity: identity, rowidName: ground.rowidName,
      rowidColumn: ground.rowidColumn.flatMap(place),
      isAutoincrement: SQLTokens(sql).contains("AUTOINCREMENT"))
  }
}

extension TableShape {
  /// The column with this folded name.
  func column(_ name: String) -> ColumnShape? {
    columns.first { SQLName.folded($0.name) == name }
  }
}
