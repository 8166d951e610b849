import OpenWOSQLite

/// How a merge treats the content of virtual tables.
struct VirtualTables {
  /// Full-text tables over another table's rows, to be rebuilt from them.
  private(set) var rebuilt: [String] = []
  /// Shadow tables that only the other side changed, to be copied from it whole.
  private(set) var copied: [TableShape] = []

  init(
    schema: MergeSchema, schemas: Sides<DatabaseSchema>, loader: ChangeLoader,
    tables: some Collection<TableMerge>, isTouched: Bool
  ) throws {
    try Self.refuseLostContent(schemas, loader)
    try Self.refuseUnknown(schemas, tables)
    let ground = schemas[schema.ground]
    let dropped = Set(schema.dropped.map { SQLName.folded($0.name) })
    let kept = ground.entries.filter {
      $0.module != nil && !dropped.contains(SQLName.folded($0.name))
    }
    let shadows = kept.reduce(into: Set<String>()) { $0.formUnion(ground.shadows(of: $1)) }
    if shadows.isEmpty { return }
    let changed = try Sides(
      ours: loader.changedShadows(of: .ours, among: shadows),
      theirs: loader.changedShadows(of: .theirs, among: shadows))
    for entry in kept {
      let own = ground.shadows(of: entry)
      let sides = MergeSide.allCases.filter { !changed[$0].isDisjoint(with: own) }
      if Self.hasForeignContent(entry) {
        if sides.contains(schema.ground.other) || isTouched { rebuilt.append(entry.name) }
        continue
      }
      guard sides.count < 2 else {
        throw MergeRefusal(entry.name, "both sides changed the content of a virtual table")
      }
      // It may name rows by numbers that they have no more.
      for side in sides where tables.contains(where: { $0.isRenumbered(side) }) {
        throw MergeRefusal(
          entry.name, "rows made apart get other numbers, by which a virtual table may name them")
      }
      if sides.contains(schema.ground.other) {
        copied += own.sorted().compactMap { ground.shadowTables[$0] }
      }
    }
  }

  /// Refuses if tables of an unknown module would have to be merged cell by cell: only the module
  /// knows what is in them.
  private static func refuseUnknown(
    _ schemas: Sides<DatabaseSchema>, _ tables: some Collection<TableMerge>
  ) throws {
    let owners = schemas.ours.opaque.merging(schemas.theirs.opaque) { first, _ in first }
    if owners.isEmpty { return }
    var changed: [String: Sides<Bool>] = [:]
    for table in tables {
      guard let owner = owners[SQLName.folded(table.shape.name)] else { continue }
      for side in MergeSide.allCases where table.changeCount(side) > 0 {
        changed[owner, default: Sides(ours: false, theirs: false)][side] = true
      }
    }
    let moving = MergeSide.allCases.filter { side in
      tables.contains { $0.isRenumbered(side) }
    }
    for (owner, sides) in changed.sorted(by: { $0.key < $1.key }) {
      let name =
        (schemas.ours.entries + schemas.theirs.entries).first { SQLName.folded($0.name) == owner }?
        .name ?? owner
      if sides.ours && sides.theirs {
        throw MergeRefusal(
          name, "both sides changed the content of a virtual table whose module is not known")
      }
      if moving.contains(where: { sides[$0] }) {
        throw MergeRefusal(
          name, "rows made apart get other numbers, by which a virtual table may name them")
      }
    }
  }

  /// Refuses when a side changed the content of a virtual table that the other one dropped.
  private static func refuseLostContent(
    _ schemas: Sides<DatabaseSchema>, _ loader: ChangeLoader
  ) throws {
    guard let base = loader.baseSchema else { return }
    let known = Set(base.entries.filter { $0.module != nil }.map { SQLName.folded($0.name) })
    for side in MergeSide.allCases {
      let others = Set(schemas[side.other].entries.map { SQLName.folded($0.name) })
      for entry in schemas[side].entries where entry.module != nil && !hasForeignContent(entry) {
        let name = SQLName.folded(entry.name)
        let own = schemas[side].shadows(of: entry)
        guard known.contains(name), !others.contains(name), !own.isEmpty else { continue }
        guard try loader.changedShadows(of: side, among: own).isEmpty else {
          throw MergeRefusal(
            entry.name, "one side dropped the table, the other changed its content")
        }
      }
    }
  }

  /// Whether a full-text table indexes the rows of another table.
  private static func hasForeignContent(_ entry: SchemaEntry) -> Bool {
    entry.contentTable != nil
  }
}
