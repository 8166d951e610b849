import OpenWOSQLite

/// Turns differences against the base into each side's changes, by the columns the tables will have.
struct ChangeLoader {
  let base: Connection?
  let sides: Sides<Connection>
  let baseSchema: DatabaseSchema?
  let schemas: Sides<DatabaseSchema>

  /// The shapes the tables will have, by folded name.
  let shapes: [String: TableShape]

  /// Whether the files' pages may be compared.
  let usesPages: Bool

  /// All changes by folded table name.
  func load() throws -> [String: Sides<[SideChange]>] {
    var changes: [String: Sides<[SideChange]>] = [:]
    for name in shapes.keys { changes[name] = Sides(ours: [], theirs: []) }
    if let base {
      for side in MergeSide.allCases {
        let found = try compare(base, sides[side], DifferenceOptions(rows: .all))
        for table in found.tables { try take(table, of: side, into: &changes) }
      }
    }
    try loadWithoutBase(&changes)
    return changes
  }

  /// Which of these shadow tables a side changed.
  func changedShadows(of side: MergeSide, among names: Set<String>) throws -> Set<String> {
    var options = DifferenceOptions()
    options.includesShadowTables = true
    options.onlyTables = names
    let found = try compare(base ?? sides[side.other], sides[side], options)
    return Set(found.tables.map { SQLName.folded($0.table) })
  }

  private func compare(
    _ old: Connection, _ new: Connection, _ options: DifferenceOptions
  ) throws -> DatabaseDifference {
    var options = options
    options.usesPages = usesPages
    return try DatabaseComparison(old, new, options, visit: nil).run()
  }

  private func take(
    _ table: TableDifference, of side: MergeSide, into changes: inout [String: Sides<[SideChange]>]
  ) throws {
    let name = SQLName.folded(table.table)
    if let reason = table.notCompared { throw MergeRefusal(table.table, reason) }
    let isNew = baseSchema?.tables[name] == nil
    if isNew, schemas[side.other].tables[name] != nil { return }
    guard let shape = shapes[name] else {
      guard schemas[side].tables[name] == nil || table.isEqual else {
        throw MergeRefusal(
          table.table, rows: table.rows.prefix(10).map(\.key),
          "one side dropped the table, the other changed rows in it")
      }
      return
    }
    if !isNew { try checkIdentity(table, shape) }
    changes[name]?[side] = table.rows.map { change in
      SideChange(
        base: change.old.map { row($0, table.oldColumns, change.key, shape) },
        row: change.new.map { row($0, table.newColumns, change.key, shape) })
    }
  }

  /// Tables that both sides have and the base does not: rows that are the same in both converge without
  /// being looked at, all others were inserted.
  private func loadWithoutBase(_ changes: inout [String: Sides<[SideChange]>]) throws {
    var options = DifferenceOptions(rows: .all)
    options.onlyTables = Set(
      shapes.keys.filter {
        baseSchema?.tables[$0] == nil && schemas.ours.tables[$0] != nil
          && schemas.theirs.tables[$0] != nil
      })
    if options.onlyTables?.isEmpty ?? true { return }
    let found = try compare(sides.ours, sides.theirs, options)
    for table in found.tables {
      let name = SQLName.folded(table.table)
      guard let shape = shapes[name], options.onlyTables?.contains(name) ?? false else { continue }
      if let reason = table.notCompared { throw MergeRefusal(table.table, reason) }
      for change in table.rows {
        if let old = change.old {
          let mine = row(old, table.oldColumns, change.key, shape)
          changes[name]?.ours.append(SideChange(base: nil, row: mine))
        }
        if let new = change.new {
          let mine = row(new, table.newColumns, change.key, shape)
          changes[name]?.theirs.append(SideChange(base: nil, row: mine))
        }
      }
    }
  }

  private func checkIdentity(_ table: TableDifference, _ shape: TableShape) throws {
    let name = SQLName.folded(table.table)
    let all = [baseSchema, schemas.ours, schemas.theirs].compactMap { $0?.tables[name] }
    let isSame = all.allSatisfy {
      $0.keyNames == shape.keyNames && ($0.rowidColumn == nil) == (shape.rowidColumn == nil)
    }
    guard isSame else { throw MergeRefusal(table.table, "one side changed the table's key") }
  }

  private func row(
    _ values: [CellValue], _ columns: [String], _ key: [CellValue], _ shape: TableShape
  ) -> MergeRow {
    var places: [String: Int] = [:]
    for (place, name) in columns.enumerated() { places[SQLName.folded(name)] = place }
    let cells = shape.columns.map { places[SQLName.folded($0.name)].map { values[$0] } }
    let isNumbered = if case .rowid = shape.identity { true } else { false }
    return MergeRow(rowid: isNumbered ? key.first?.int : nil, cells: cells)
  }
}
