import OpenWOSQLite

extension ChangeLoader {
  /// Tables that both sides have and the base does not, and all tables if there is no base: all
  /// rows were inserted.
  ///
  /// Equal rows converge without further work, unless they refer to a row that may get another key.
  func loadWithoutBase(_ changes: inout [String: Sides<[SideChange]>]) throws {
    var options = DifferenceOptions(rows: .all)
    options.onlyTables = Set(
      shapes.keys.filter {
        let isInBoth = schemas.ours.tables[$0] != nil && schemas.theirs.tables[$0] != nil
        return base == nil || baseSchema?.tables[$0] == nil && isInBoth
      })
    if options.onlyTables?.isEmpty ?? true { return }
    let found = try compare(sides.ours, sides.theirs, options)
    let changed = changes.filter { !$1.ours.isEmpty || !$1.theirs.isEmpty || aside[$0] != nil }.keys
    let differing = found.tables.map { SQLName.folded($0.table) }
    let whole = try pointing(to: Set(differing).union(changed), options)
    for name in whole {
      for side in MergeSide.allCases { changes[name]?[side] = try allRows(of: name, side) }
    }
    for table in found.tables {
      let name = SQLName.folded(table.table)
      guard let shape = shapes[name], options.onlyTables?.contains(name) ?? false else { continue }
      if let reason = table.notCompared { throw MergeRefusal(table.table, reason) }
      if whole.contains(name) { continue }
      let ours = RowLayout(of: table.oldColumns, in: shape)
      let theirs = RowLayout(of: table.newColumns, in: shape)
      for change in table.rows {
        if let old = change.old {
          changes[name]?.ours.append(SideChange(base: nil, row: ours.row(old, change.key)))
        }
        if let new = change.new {
          changes[name]?.theirs.append(SideChange(base: nil, row: theirs.row(new, change.key)))
        }
      }
    }
  }

  /// The tables among those looked at that point to one of these, at once or through others.
  private func pointing(
    to tables: Set<String>, _ options: DifferenceOptions
  ) throws -> Set<String> {
    var parents: [String: Set<String>] = [:]
    for name in options.onlyTables ?? [] {
      for side in MergeSide.allCases {
        guard let table = schemas[side].tables[name] else { continue }
        let keys = try ConstraintReader(connection: sides[side], table: table).foreignKeys()
        parents[name, default: []].formUnion(keys.map(\.parent))
      }
    }
    var (found, latest) = (Set<String>(), tables)
    while !latest.isEmpty {
      let next = parents.filter { !$1.isDisjoint(with: latest) && !found.contains($0) }
      latest = Set(next.keys)
      found.formUnion(latest)
    }
    return found
  }

  private func allRows(of name: String, _ side: MergeSide) throws -> [SideChange] {
    guard let shape = shapes[name], let table = schemas[side].tables[name] else { return [] }
    let layout = RowLayout(of: table.columns.map(\.name), in: shape)
    let scan = RowScan(sides[side], table)
    var rows: [SideChange] = []
    while let found = try scan.next() {
      rows.append(SideChange(base: nil, row: layout.row(found.values, [.integer(found.rowid)])))
    }
    return rows
  }
}
