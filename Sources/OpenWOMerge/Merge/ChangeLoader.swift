import OpenWOSQLite

/// Turns differences against the base into each side's changes, by the columns the tables will have.
struct ChangeLoader {
  let base: Connection?
  let sides: Sides<Connection>
  let baseSchema: DatabaseSchema?
  let schemas: Sides<DatabaseSchema>

  /// The shapes the tables will have, by folded name.
  private(set) var shapes: [String: TableShape]

  /// The columns that the base lacks, by folded table name, at their places in these shapes.
  private(set) var added: [String: [AddedColumn]] = [:]

  /// Whether the files' pages may be compared.
  let usesPages: Bool

  /// Where rows of the base are on each side, if they are not under their own number.
  var moved = Sides<[String: [Int64: Int64?]]>(ours: [:], theirs: [:])
  /// The same, after some rows were looked for between the base and the side.
  var follow: ((MergeSide, String, Set<Int64>) throws -> [Int64: Int64?])?
  /// Takes the changed rows of tables with very many; nil: they stay in memory.
  var spills: Sides<RowSpill>?
  /// The rows that were put aside, by folded table name.
  private(set) var aside: [String: Sides<SpilledRows?>] = [:]

  init(
    base: Connection?, sides: Sides<Connection>, baseSchema: DatabaseSchema?,
    schemas: Sides<DatabaseSchema>, shapes: [String: TableShape], usesPages: Bool
  ) {
    self.base = base
    self.sides = sides
    self.baseSchema = baseSchema
    self.schemas = schemas
    self.shapes = shapes
    self.usesPages = usesPages
  }

  /// All changes by folded table name.
  ///
  /// Afterwards the shapes say of which tables rowids tell nothing.
  mutating func load() throws -> [String: Sides<[SideChange]>] {
    var changes: [String: Sides<[SideChange]>] = [:]
    for name in shapes.keys { changes[name] = Sides(ours: [], theirs: []) }
    if let base, let baseSchema {
      var found = try SideDifferences(
        base: baseSchema, schemas: schemas, moved: moved, base, spills
      ) { side, options, spill in
        try compare(base, sides[side], options, spill).tables
      }
      for name in found.doubts.rowids { shapes[name] = shapes[name]?.toldByWholeRow }
      for (name, shape) in shapes {
        guard let old = baseSchema.tables[name] else { continue }
        added[name] = try addedColumns(
          name, old, shape, believesRenames: !found.doubts.renames.contains(name), base)
      }
      for side in MergeSide.allCases {
        let names = found.tables[side].map { SQLName.folded($0.table) }
        // Each goes when it was taken over, as there may be very many rows.
        while let table = found.takeTable(of: side) {
          try take(table, of: side, into: &changes)
        }
        let rest = Set(moved[side].keys).subtracting(names)
        for name in rest {
          guard let shape = shapes[name] else { continue }
          changes[name]?[side] = try followed([], name, of: side, shape, [])
        }
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

  func compare(
    _ old: Connection, _ new: Connection, _ options: DifferenceOptions,
    _ spill: RowSpill? = nil
  ) throws -> DatabaseDifference {
    var options = options
    options.usesPages = usesPages
    return try DatabaseComparison(old, new, options, spill: spill, visit: nil).run()
  }

  private mutating func take(
    _ table: consuming TableDifference, of side: MergeSide,
    into changes: inout [String: Sides<[SideChange]>]
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
    if let base, baseSchema?.tables[name] != nil, let new = schemas[side].tables[name] {
      try checkIdentity(table, shape)
      try LostColumns(of: new, in: shape, base).check(table)
    }
    let added = added[name] ?? []
    let (before, after) = (
      RowLayout(of: table.oldColumns, in: shape, added), RowLayout(of: table.newColumns, in: shape)
    )
    // Each row goes when it was taken over, as there may be very many.
    let title = table.table
    var rows = table.rows
    table.rows = []
    rows.reverse()
    var mine: [SideChange] = []
    mine.reserveCapacity(rows.count)
    while let change = rows.popLast() {
      mine.append(
        SideChange(
          base: change.old.map { before.row($0, change.key) },
          row: change.new.map { after.row($0, change.key) }))
    }
    if let rows = spills?[side].rows[name] {
      // Whether a number means another row now is asked when the rest of the rows is known.
      if try !hasMoves(rows, mine, name, of: side, shape) {
        aside[name, default: Sides(ours: nil, theirs: nil)][side] = rows
        changes[name]?[side] = mine
        return
      }
      mine = try rows.together(with: mine)
    }
    mine = try followed(mine, name, of: side, shape, added)
    changes[name]?[side] = try markingFills(mine, among: added, in: title)
  }

  /// The columns of the result that the base lacks, each as the side has made it that has it.
  private func addedColumns(
    _ name: String, _ old: TableShape, _ shape: TableShape, believesRenames: Bool,
    _ base: Connection
  ) throws -> [AddedColumn] {
    var found: [String: AddedColumn.Origin] = [:]
    for side in MergeSide.allCases {
      guard let new = schemas[side].tables[name] else { continue }
      let added = try AddedColumn.all(
        from: old, to: new, believesRenames: believesRenames, base)
      for column in added {
        let name = SQLName.folded(new.columns[column.place].name)
        if found[name] == nil { found[name] = column.origin }
      }
    }
    for (place, column) in old.columns.enumerated() {
      let names = found.filter { $0.value == .renamed(from: place) }.keys.sorted()
      guard names.count > 1 else { continue }
      throw MergeRefusal(
        shape.name,
        "both sides renamed the column \(column.name), to \(names.joined(separator: " and to "))")
    }
    return shape.columns.enumerated().compactMap { place, column in
      found[SQLName.folded(column.name)].map { AddedColumn(place: place, origin: $0) }
    }
  }

  /// The changes by row where earlier merges gave rows of the base other numbers on this side.
  private func followed(
    _ changes: [SideChange], _ name: String, of side: MergeSide, _ shape: TableShape,
    _ added: [AddedColumn]
  ) throws -> [SideChange] {
    guard case .rowid = shape.identity, let base, let old = baseSchema?.tables[name],
      let new = schemas[side].tables[name]
    else { return changes }
    func told(_ moves: [Int64: Int64?]) throws -> [SideChange] {
      if moves.isEmpty { return changes }
      return try MovedRows(
        moves: moves, base: { try fetch($0, base, old, shape, added) },
        side: { try fetch($0, sides[side], new, shape, []) }
      ).told(changes)
    }
    let moves = moved[side][name] ?? [:]
    var result = try told(moves)
    let doubtful = Set(result.filter { $0.original != nil }.compactMap { $0.base?.rowid })
    if let follow, !new.isAutoincrement, !doubtful.isEmpty, doubtful.count <= Self.followed {
      let known = try follow(side, name, doubtful)
      if known != moves {
        result = try told(known)
      }
    }
    return try ReusedNumbers(table: new, side: sides[side]).told(result)
  }

  /// Whether the contents between the base and a side tell that a row has moved there, of a table whose rows were put aside.
  private func hasMoves(
    _ rows: SpilledRows, _ others: [SideChange], _ name: String, of side: MergeSide,
    _ shape: TableShape
  ) throws -> Bool {
    guard case .rowid = shape.identity, let follow, !shape.isAutoincrement,
      rows.updateCount + others.count <= Self.followed
    else { return false }
    var doubtful = Set(others.filter { $0.original != nil }.compactMap { $0.base?.rowid })
    var reader = try rows.reader()
    while let row = try reader.read() {
      if row.kind == .updated || row.kind == .rewritten { doubtful.insert(row.place.number) }
    }
    return try !doubtful.isEmpty && !follow(side, name, doubtful).isEmpty
  }

  private func fetch(
    _ number: Int64, _ connection: Connection, _ table: TableShape, _ shape: TableShape,
    _ added: [AddedColumn]
  ) throws -> MergeRow? {
    let key = MergeRow(rowid: number, cells: [])
    let values = try RowWriter(connection: connection, shape: table).find(key)
    let layout = RowLayout(of: table.columns.map(\.name), in: shape, added)
    return values.map { layout.row($0, [.integer(number)]) }
  }

  /// So many changed rows of a table are looked for in the contents between.
  private static let followed = 10_000

  /// The changes, marked if they only fill a column that the side added.
  private func markingFills(
    _ changes: [SideChange], among added: [AddedColumn], in table: String
  ) throws -> [SideChange] {
    guard let base, !added.isEmpty else { return changes }
    let rows = try base.cells("SELECT count(*) FROM main.\(SQLName.quoted(table))")
    let filled = FilledColumns(
      among: added, by: changes, rowCount: Int(rows.first?.first?.int ?? 0))
    return changes.map { change in
      var change = change
      change.isFill = filled.isAll(of: change)
      return change
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
}
