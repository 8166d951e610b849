package import OpenWOSQLite

/// Decides a three-way merge of two databases that follow from one base.
///
/// Nothing is written.
package struct MergePlanner {
  private let base: Connection?
  private let sides: Sides<Connection>
  private let options: MergeOptions

  /// A merge of `ours` and `theirs` from their merge base; nil is an empty one, which must
  /// be allowed.
  package init(
    base: Connection?, ours: Connection, theirs: Connection, options: MergeOptions
  ) {
    self.base = base
    sides = Sides(ours: ours, theirs: theirs)
    self.options = options
  }

  /// Makes the decisions; throws a `MergeRefusal` if the two cannot be merged.
  ///
  /// The databases are held in read locks, and must not change until the plan is written.
  package func plan() throws -> MergePlan {
    guard base != nil || options.allowsEmptyBase else {
      throw MergeRefusal("", "the two databases have no common ancestor")
    }
    let all = [base, sides.ours, sides.theirs].compactMap(\.self)
    let usesPages = !all.contains { $0.isInTransaction }
    return try sides.ours.withReadLock {
      try sides.theirs.withReadLock {
        guard let base else { return try decide(usesPages: usesPages) }
        return try base.withReadLock { try decide(usesPages: usesPages) }
      }
    }
  }

  private func decide(usesPages: Bool) throws -> MergePlan {
    let baseSchema = try base.map { try SchemaReader(connection: $0).read() }
    let schemas = Sides(
      ours: try SchemaReader(connection: sides.ours).read(),
      theirs: try SchemaReader(connection: sides.theirs).read())
    let schema = try MergeSchema(base: baseSchema, sides: schemas, first: options.first)
    if let base, let baseSchema { try Self.refuseRenamed(base, baseSchema, schemas) }
    let shapes = try Self.shapes(schema, schemas)
    var loader = ChangeLoader(
      base: base, sides: sides, baseSchema: baseSchema, schemas: schemas, shapes: shapes,
      usesPages: usesPages)
    loader.moved = options.moved
    loader.follow = options.followed
    loader.spills = try spills(baseSchema, schemas, shapes)
    let changes = try loader.load()
    var (tables, counters, merged) = try settle { [shapes = loader.shapes, loader] in
      try self.tables(shapes, changes, loader.aside, schema, schemas)
    }
    let clock = MergeClock(times: options.times, first: options.first)
    for (name, table) in tables {
      try PlaceKeeper(table: table, clock: clock, ground: sides[schema.ground])
        .settle(&merged[name, default: []])
      let filled = FilledCells(
        table: table, ground: schema.ground, schemas: schemas, sides: sides,
        moments: options.moments)
      try filled.fill(&merged[name, default: []])
    }
    let rebuilds = TableRebuild.all(schema, baseSchema, schemas, loader)
    let planners = Dictionary(
      uniqueKeysWithValues: tables.map { name, table in
        let planner = OperationPlanner(
          table: table, ground: schema.ground, isRebuilt: rebuilds[name] != nil)
        return (name, planner)
      })
    let operations = Dictionary(
      uniqueKeysWithValues: planners.map { name, planner in
        (name, planner.operations(merged[name] ?? []))
      })
    let writer = ReportWriter(
      ground: schema.ground, tables: tables, earlier: options.moved, taken: options.taken,
      clock: clock, listed: options.listed)
    let report = try writer.report(
      merged, counters, UndeclaredReferences(tables: tables, sides: sides).find())
    let writesRows =
      try operations.values.contains { !$0.isEmpty }
      || tables.contains { name, table in
        var plain = try PlainWrites(of: table, planners[name], clock)
        return try plain.next() != nil
      }
    return MergePlan(
      report: report, schema: schema,
      base: base, sides: sides,
      virtual: try VirtualTables(
        schema: schema, schemas: schemas, loader: loader, tables: tables.values,
        isTouched: writesRows),
      clock: clock, listed: options.listed, planners: planners, rebuilds: rebuilds, tables: tables,
      order: TableOrder.parentsFirst(tables),
      operations: operations, writesRows: writesRows,
      counters: try counters.highest(),
      cookies: [baseSchema, schemas.ours, schemas.theirs].compactMap { $0?.cookie },
      distrustsNumbers: loader.shapes.contains { name, shape in
        shape.identity == .wholeRow && shapes[name]?.identity == .rowid(isDeclared: false)
      })
  }

  /// What takes the changed rows of tables with very many of them.
  private func spills(
    _ base: DatabaseSchema?, _ schemas: Sides<DatabaseSchema>, _ shapes: [String: TableShape]
  ) throws -> Sides<RowSpill>? {
    guard let file = options.spill, let base else { return nil }
    let tables = try SpillableTables(
      base: base, schemas: schemas, sides: sides, shapes: shapes, options: options
    ).find()
    if tables.isEmpty { return nil }
    return Sides(
      ours: RowSpill(of: tables, beyond: options.spillLimit, into: file),
      theirs: RowSpill(of: tables, beyond: options.spillLimit, into: file))
  }

  private typealias Settled = (
    tables: [String: TableMerge], counters: RowidCounters, merged: [String: [MergedRow]]
  )

  /// Decides row by row; again if a deleted row stays because others refer to it, and a new row was
  /// to get its number.
  private func settle(_ make: () throws -> [String: TableMerge]) throws -> Settled {
    var kept: [String: Set<Int64>] = [:]
    while true {
      let tables = try make()
      let counters = RowidCounters(tables: tables, base: base, sides: sides)
      try IdentityResolver(
        tables: tables, first: options.first, nextRowid: { try counters.next($0) },
        births: options.births
      ).resolve(kept)
      let merged = ReferenceKeeper(tables, mergeRows(tables)).run()
      let clashing = try NumberClashes(tables, merged).rows
      if clashing.isEmpty { return (tables, counters, merged) }
      for (name, rows) in clashing {
        guard !rows.isSubset(of: kept[name] ?? []) else {
          throw MergeRefusal(tables[name]?.shape.name ?? name, "two rows need the same number")
        }
        kept[name, default: []].formUnion(rows)
      }
    }
  }

  /// Refuses if both sides seem to have renamed a table: the later changes of each cannot be told.
  private static func refuseRenamed(
    _ connection: Connection, _ base: DatabaseSchema, _ schemas: Sides<DatabaseSchema>
  ) throws {
    func columns(_ table: TableShape) -> Set<String> {
      Set(table.columns.map { SQLName.folded($0.name) })
    }
    let gone = try base.tables.filter { name, table in
      guard schemas.ours.tables[name] == nil, schemas.theirs.tables[name] == nil else {
        return false
      }
      return try !connection.cells("SELECT 1 FROM main.\(SQLName.quoted(table.name)) LIMIT 1")
        .isEmpty
    }.values.map(columns)
    if gone.isEmpty { return }
    for (name, table) in schemas.ours.tables.sorted(by: { $0.key < $1.key })
    where base.tables[name] == nil && schemas.theirs.tables[name] != nil {
      let mine = columns(table)
      guard gone.contains(where: { 2 * $0.intersection(mine).count >= $0.count }) else { continue }
      throw MergeRefusal(table.name, "both sides renamed the table, or made it of another one")
    }
  }

  /// The tables of the result, by folded name.
  private static func shapes(
    _ schema: MergeSchema, _ schemas: Sides<DatabaseSchema>
  ) throws -> [String: TableShape] {
    var shapes = schemas[schema.ground].tables
    for entry in schema.dropped { shapes[SQLName.folded(entry.name)] = nil }
    for entry in schema.created where entry.type == "table" {
      let name = SQLName.folded(entry.name)
      shapes[name] = schemas[schema.ground.other].tables[name]
    }
    for entry in schema.remade {
      let name = SQLName.folded(entry.name)
      guard let ground = shapes[name], let other = schemas[schema.ground.other].tables[name],
        let sql = entry.sql, let definition = TableDefinition(sql)
      else {
        throw MergeRefusal(entry.name, "both sides changed the schema of \(entry.name)")
      }
      shapes[name] =
        try sql == other.sql
        ? other
        : ResultShape(definition: definition, sql: sql, ground: ground, other: other).shape()
    }
    return shapes
  }

  private func tables(
    _ shapes: [String: TableShape], _ changes: [String: Sides<[SideChange]>],
    _ aside: [String: Sides<SpilledRows?>], _ schema: MergeSchema,
    _ schemas: Sides<DatabaseSchema>
  ) throws -> [String: TableMerge] {
    var rules: [String: TableRule] = [:]
    for (name, rule) in options.rules { rules[SQLName.folded(name)] = rule }
    let choices = Dictionary(grouping: options.choices) { SQLName.folded($0.table) }
    var tables: [String: TableMerge] = [:]
    var keys: [String: [ForeignKeyShape]] = [:]
    let dropped = Set(schema.dropped.map { SQLName.folded($0.name) })
    let created = Set(schema.created.map { SQLName.folded($0.name) })
    for (name, shape) in shapes {
      let constraints = ResultConstraints(
        base: base, sides: sides, ground: schema.ground, table: shape)
      tables[name] = TableMerge(
        shape, rule: rules[name] ?? options.otherwise,
        uniques: try constraints.uniques(),
        changes: changes[name] ?? Sides(ours: [], theirs: []))
      tables[name]?.keepsDeleted = options.keepsDeleted
      tables[name]?.doubtful = options.doubtful[name] ?? []
      let declared = TableDeclarations(options.declared, of: shape)
      tables[name]?.declared = declared
      keys[name] = try constraints.foreignKeys() + declared.references
      if let table = tables[name] {
        table.choices = TableChoices(choices[name] ?? [], of: table)
        table.computed =
          try ComputedUnique.all(
            for: table, in: sides, of: sides[schema.ground], where: { !dropped.contains($0) })
          + ComputedUnique.all(
            for: table, in: sides, of: sides[schema.ground.other], where: created.contains)
      }
    }
    for (name, table) in tables {
      table.references = (keys[name] ?? []).compactMap { ReferenceFinder(tables).find($0) }
    }
    try PlainRowFinder(tables: tables, sides: sides, schemas: schemas).run(aside)
    try CascadedChanges(tables: tables).mark()
    ReplacedRows(tables: tables).join()
    return tables
  }

  private func mergeRows(_ tables: [String: TableMerge]) -> [String: [MergedRow]] {
    let clock = MergeClock(times: options.times, first: options.first)
    return tables.mapValues { table in
      let pairs = ChangePairs(table).pairs
      if table.rule == .singleton {
        return SingletonMerger(table: table, clock: clock).merge(pairs)
      }
      let merger = RowMerger(table: table, clock: clock)
      return pairs.map(merger.merge)
    }
  }
}
