import OpenWOSQLite

/// Compares two open databases, table by table.
struct DatabaseComparison {
  private let old: Connection
  private let new: Connection
  private let options: DifferenceOptions
  private let visit: ((TableDifference, RowChange) throws -> Void)?
  private let spill: RowSpill?

  init(
    _ old: Connection, _ new: Connection, _ options: DifferenceOptions, spill: RowSpill? = nil,
    visit: ((TableDifference, RowChange) throws -> Void)?
  ) {
    self.spill = spill
    self.old = old
    self.new = new
    self.options = options
    self.visit = visit
  }

  /// Both databases must be in a read lock.
  func run() throws -> DatabaseDifference {
    let before = try SchemaReader(connection: old).read()
    let after = try SchemaReader(connection: new).read()
    var difference = DatabaseDifference()
    difference.schemaChanges = SchemaComparison(old: before, new: after).changes()
    difference.sequences = try sequences(before, after)
    let paged =
      options.usesPages
      ? try PagedDatabases(old, new, before, after, differing: options.differingPages) : nil
    let oldTables = tables(before)
    let newTables = tables(after)
    let unreadable = before.unreadable.merging(after.unreadable) { a, _ in a }
    for name in Set(oldTables.keys).union(newTables.keys).sorted() where unreadable[name] == nil {
      options.telling?(newTables[name]?.name ?? name)
      let table = try compare(oldTables[name], newTables[name], paged)
      if let table, !table.isEqual { difference.tables.append(table) }
    }
    if options.includesVirtualContent {
      difference.tables += try VirtualContent(before, after, old, new) {
        try compare($0, $1, paged, as: $2)
      }.changes(
        beside: difference.tables, only: options.onlyTables,
        includesIndexes: options.includesIndexes)
      difference.tables.sort { SQLName.folded($0.table) < SQLName.folded($1.table) }
    }
    if options.includesIndexes {
      for index in difference.tables.indices {
        // It is unknown what an unknown module makes of a row.
        let name = SQLName.folded(difference.tables[index].table)
        guard before.opaque[name] ?? after.opaque[name] != nil else { continue }
        difference.tables[index].notCompared = VirtualContent.notCompared
      }
    }
    difference.tables += unreadable.sorted { $0.key < $1.key }.map { name, reason in
      var table = TableDifference(table: name, keyedBy: .rowid, oldColumns: [], newColumns: [])
      table.notCompared = reason
      return table
    }
    return difference
  }

  private func tables(_ schema: DatabaseSchema) -> [String: TableShape] {
    var tables = schema.tables
    if options.includesShadowTables { tables.merge(schema.shadowTables) { a, _ in a } }
    guard let wanted = options.onlyTables else { return tables }
    return tables.filter { wanted.contains($0.key) }
  }

  private func compare(
    _ oldTable: TableShape?, _ newTable: TableShape?, _ paged: PagedDatabases?,
    as virtual: VirtualTable? = nil
  ) throws -> TableDifference? {
    switch (oldTable, newTable) {
    case (let a?, let b?): try compareBoth(pair(a, b), paged, as: virtual)
    case (let a?, nil): try oneSided(a, in: old, isNew: false, as: virtual)
    case (nil, let b?): try oneSided(b, in: new, isNew: true, as: virtual)
    case (nil, nil): nil
    }
  }

  private func pair(_ a: TableShape, _ b: TableShape) throws -> TablePair {
    guard let doubts = options.doubts else { return TablePair(old: a, new: b) }
    let name = SQLName.folded(b.name)
    let added = try AddedColumn.all(
      from: a, to: b, believesRenames: !doubts.renames.contains(name), new)
    guard doubts.rowids.contains(name) else { return TablePair(old: a, new: b, added: added) }
    return TablePair(old: a.toldByWholeRow, new: b.toldByWholeRow, added: added)
  }

  private func compareBoth(
    _ pair: TablePair, _ paged: PagedDatabases?, as virtual: VirtualTable?
  ) throws -> TableDifference {
    var header = TableDifference(
      table: virtual?.shape.name ?? pair.new.name, keyedBy: pair.keyedBy,
      oldColumns: names(pair.old, virtual), newColumns: names(pair.new, virtual))
    header.added = pair.added
    let collector = ChangeCollector(header, options.rows, visit: visit, spill: spill)
    try reportingUnreadable(collector) {
      do {
        if let paged, pair.new.rootPage > 0 { return try paged.compare(pair, into: collector) }
      } catch is MalformedPage where collector.startOver() {
        // SQLite may read what we do not, and says best what is wrong with it.
      }
      try ScannedComparison(old: old, new: new, pair: pair, collector: collector).run()
    }
    return collector.table
  }

  private func oneSided(
    _ table: TableShape, in connection: Connection, isNew: Bool, as virtual: VirtualTable?
  ) throws -> TableDifference {
    let columns = names(table, virtual)
    var header = TableDifference(
      table: virtual?.shape.name ?? table.name, keyedBy: .rowid, oldColumns: isNew ? [] : columns,
      newColumns: isNew ? columns : [])
    switch table.identity {
    case .rowid(let isDeclared): header.keyedBy = isDeclared ? .primaryKey : .rowid
    case .primaryKey: header.keyedBy = .primaryKey
    case .wholeRow: header.keyedBy = .wholeRow
    }
    let collector = ChangeCollector(header, options.rows, visit: visit)
    try reportingUnreadable(collector) {
      try OneSidedTable(
        connection: connection, table: table, isNew: isNew, collector: collector
      ).run()
    }
    return collector.table
  }

  /// The columns of a table, with the names of a virtual table that is read from it.
  private func names(_ table: TableShape, _ virtual: VirtualTable?) -> [String] {
    guard let virtual else { return table.columns.map(\.name) }
    let known = Dictionary(
      zip(virtual.source.columns, virtual.shape.columns).map {
        (SQLName.bytewise($0.name), $1.name)
      },
      uniquingKeysWith: { first, _ in first })
    return table.columns.map { known[SQLName.bytewise($0.name)] ?? $0.name }
  }

  private func reportingUnreadable(_ collector: ChangeCollector, _ body: () throws -> Void) throws {
    do { try body() } catch let error as SQLiteError where error.code == .error {
      // A collation or function of the application that is not known here.
      guard collector.startOver() else { throw error }
      collector.fail(error.message)
    }
  }

  /// Counters of AUTOINCREMENT tables that both or either have.
  private func sequences(
    _ before: DatabaseSchema, _ after: DatabaseSchema
  ) throws -> [SequenceChange] {
    let a = try Self.counters(old, before)
    let b = try Self.counters(new, after)
    return Set(a.keys).union(b.keys).sorted().compactMap { name in
      a[name] == b[name]
        ? nil : SequenceChange(table: SQLName.plain(name), old: a[name], new: b[name])
    }
  }

  private static func counters(
    _ connection: Connection, _ schema: DatabaseSchema
  ) throws -> [String: Int64] {
    guard schema.entries.contains(where: { $0.name == "sqlite_sequence" }) else { return [:] }
    var counters: [String: Int64] = [:]
    for row in try connection.cells("SELECT name, seq FROM main.sqlite_sequence") {
      if let name = row[0].string, let value = row[1].int {
        counters[SQLName.bytewise(name)] = value
      }
    }
    return counters
  }
}
