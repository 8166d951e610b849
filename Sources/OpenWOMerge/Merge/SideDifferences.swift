import OpenWOSQLite

/// What each side did to rows since the base.
///
/// Tables whose rowids or renamed columns turn out to say nothing are looked at once more without them, on both sides.
struct SideDifferences {
  /// The tables that differ from the base.
  private(set) var tables = Sides<[TableDifference]>(ours: [], theirs: [])
  /// What must not be taken for granted.
  private(set) var doubts = Doubts()

  private let base: DatabaseSchema
  private let connection: Connection
  private let schemas: Sides<DatabaseSchema>

  init(
    base: DatabaseSchema, schemas: Sides<DatabaseSchema>, _ connection: Connection,
    compare: (MergeSide, DifferenceOptions) throws -> [TableDifference]
  ) throws {
    self.base = base
    self.connection = connection
    self.schemas = schemas
    var options = DifferenceOptions(rows: .all)
    options.doubts = doubts
    for side in MergeSide.allCases {
      tables[side] = try compare(side, options)
      for table in tables[side] { try doubt(table, of: side) }
    }
    if doubts.tables.isEmpty { return }
    options.doubts = doubts
    options.onlyTables = doubts.tables
    for side in MergeSide.allCases {
      let again = try compare(side, options)
      tables[side].removeAll { doubts.tables.contains(SQLName.folded($0.table)) }
      tables[side] += again
    }
  }

  private mutating func doubt(_ table: TableDifference, of side: MergeSide) throws {
    let name = SQLName.folded(table.table)
    guard table.notCompared == nil, let old = base.tables[name],
      let new = schemas[side].tables[name]
    else { return }
    if isNumberedAnew(table, old, new, of: side) { doubts.rowids.insert(name) }
    if try isNoRename(table, old, new) { doubts.renames.insert(name) }
  }

  /// Whether rows of a table without a key may stand under other rowids than in the base.
  ///
  /// VACUUM numbers them anew, and so does a program that writes them all into a new file. The former raises the count of
  /// schema changes; after the latter what is in one row is found under another number.
  private func isNumberedAnew(
    _ table: TableDifference, _ old: TableShape, _ new: TableShape, of side: MergeSide
  ) -> Bool {
    guard old.identity == .rowid(isDeclared: false), new.identity == old.identity else {
      return false
    }
    if base.cookie != schemas[side].cookie { return true }
    let before = Set(table.rows.compactMap(\.old).map { CanonicalKey(exactly: $0) })
    return table.rows.contains { change in
      change.new.map { before.contains(CanonicalKey(exactly: $0)) } ?? false
    }
  }

  /// Whether a column that stands where another one was holds its default in a row that had something else there: so it may be a
  /// new one that nobody filled.
  private func isNoRename(
    _ table: TableDifference, _ old: TableShape, _ new: TableShape
  ) throws -> Bool {
    for column in try AddedColumn.all(from: old, to: new, believesRenames: true, connection) {
      guard case .renamed(let from) = column.origin,
        let value = try connection.valueOfOlderRows(in: new.columns[column.place], of: new)
      else { continue }
      for change in table.rows where change.new?[column.place] == value {
        if let before = change.old, before[from] != value { return true }
      }
    }
    return false
  }
}
