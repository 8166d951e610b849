import OpenWOSQLite

/// A table of the ground that gets another definition: its rows are put into a new table, as SQLite advises.
///
/// See https://sqlite.org/lang_altertable.html#otheralter. Rows that the merge changes are removed
/// before the rebuild and written again after it.
struct TableRebuild {
  /// The table as the ground has it.
  let ground: TableShape
  /// The table as it will be.
  let result: TableShape
  private let sql: String
  /// Which column of the ground is which of the result.
  private let columns: [(old: Int, new: Int)]
  private let aside: String

  /// All of a merge, by folded name.
  static func all(
    _ schema: MergeSchema, _ base: DatabaseSchema?, _ schemas: Sides<DatabaseSchema>,
    _ loader: ChangeLoader
  ) -> [String: TableRebuild] {
    var rebuilds: [String: TableRebuild] = [:]
    for entry in schema.remade {
      let name = SQLName.folded(entry.name)
      guard let ground = schemas[schema.ground].tables[name], let result = loader.shapes[name],
        let sql = entry.sql
      else { continue }
      rebuilds[name] = TableRebuild(
        ground, result, sql, loader.added[name] ?? [], base?.tables[name])
    }
    return rebuilds
  }

  private init(
    _ ground: TableShape, _ result: TableShape, _ sql: String, _ added: [AddedColumn],
    _ base: TableShape?
  ) {
    self.ground = result.identity == .wholeRow ? ground.toldByWholeRow : ground
    self.result = result
    self.sql = sql
    aside = "openwo aside \(ground.name)"
    let before = Dictionary(
      ground.columns.enumerated().map { (SQLName.folded($1.name), $0) },
      uniquingKeysWith: { first, _ in first })
    var renamed: [Int: String] = [:]
    for column in added {
      guard case .renamed(let from) = column.origin, let base else { continue }
      renamed[column.place] = SQLName.folded(base.columns[from].name)
    }
    columns = result.columns.enumerated().compactMap { place, column in
      let old = before[SQLName.folded(column.name)] ?? renamed[place].flatMap { before[$0] }
      return old.map { (old: $0, new: place) }
    }
  }

  /// Puts the table aside under another name.
  func putAside(_ connection: Connection) throws {
    try connection.run(
      "ALTER TABLE main.\(SQLName.quoted(ground.name)) RENAME TO \(SQLName.quoted(aside))")
  }

  /// The table that was put aside.
  func old(_ connection: Connection) -> RowWriter {
    RowWriter(connection: connection, shape: ground.renamed(aside))
  }

  /// A row of the result by the columns of the ground.
  func oldRow(_ row: MergeRow) -> MergeRow {
    var cells = [CellValue?](repeating: nil, count: ground.columns.count)
    for (old, new) in columns { cells[old] = row.cells[new] }
    return MergeRow(rowid: row.rowid, cells: cells)
  }

  /// A row with the values that it lacks, as the ground has them.
  func complete(_ row: MergeRow, from old: MergeRow, _ connection: Connection) throws -> MergeRow {
    guard row.cells.contains(nil), let stored = try self.old(connection).find(oldRow(old)) else {
      return row
    }
    var row = row
    for (old, new) in columns where row.cells[new] == nil { row.cells[new] = stored[old] }
    return row
  }

  /// Makes the table and puts into it what is left of the one put aside.
  func make(_ connection: Connection) throws {
    var names = columns.map { SQLName.quoted(result.columns[$0.new].name) }
    var values = columns.map { SQLName.quoted(ground.columns[$0.old].name) }
    if ground.rowidColumn == nil, let name = ground.rowidName, result.rowidName != nil {
      names.append(SQLName.quoted(result.rowidName ?? name))
      values.append(SQLName.quoted(name))
    }
    do {
      try connection.run(sql)
      try connection.run(
        "INSERT OR ABORT INTO main.\(SQLName.quoted(result.name))(\(names.joined(separator: ", "))) "
          + "SELECT \(values.joined(separator: ", ")) FROM main.\(SQLName.quoted(aside))")
    } catch let error as SQLiteError where !error.isPassing {
      throw MergeRefusal(
        ground.name, "rows of one side do not fit the table as the other made it: \(error.message)")
    }
    try connection.run("DROP TABLE main.\(SQLName.quoted(aside))")
  }
}

extension TableShape {
  /// The same table under another name.
  func renamed(_ name: String) -> TableShape {
    TableShape(
      name: name, sql: sql, rootPage: rootPage, isWithoutRowid: isWithoutRowid, columns: columns,
      identity: identity, rowidName: rowidName, rowidColumn: rowidColumn,
      isAutoincrement: isAutoincrement)
  }
}
