import OpenWOSQLite

/// The changes of each side's rows since the base.
///
/// Tables whose rowids or renamed columns turn out to be meaningless are compared again without
/// them, on both sides.
struct SideDifferences {
  /// The tables that differ from the base.
  private(set) var tables = Sides<[TableDifference]>(ours: [], theirs: [])
  /// The assumptions that must not be made.
  private(set) var doubts = Doubts()

  private let base: DatabaseSchema
  private let connection: Connection
  private let schemas: Sides<DatabaseSchema>
  /// Where merges have put rows of the base on each side.
  private let moved: Sides<[String: [Int64: Int64?]]>
  /// What has taken very many rows.
  private let spills: Sides<RowSpill>?

  init(
    base: DatabaseSchema, schemas: Sides<DatabaseSchema>, moved: Sides<[String: [Int64: Int64?]]>,
    _ connection: Connection, _ spills: Sides<RowSpill>?,
    compare: (MergeSide, DifferenceOptions, RowSpill?) throws -> [TableDifference]
  ) throws {
    self.spills = spills
    self.base = base
    self.connection = connection
    self.schemas = schemas
    self.moved = moved
    var options = DifferenceOptions(rows: .all)
    options.doubts = doubts
    for side in MergeSide.allCases {
      tables[side] = try compare(side, options, spills?[side])
      for table in tables[side] { try doubt(table, of: side) }
    }
    if doubts.tables.isEmpty { return }
    options.doubts = doubts
    options.onlyTables = doubts.tables
    for side in MergeSide.allCases {
      spills?[side].drop(folded: doubts.tables)
      let again = try compare(side, options, nil)
      tables[side].removeAll { doubts.tables.contains(SQLName.folded($0.table)) }
      tables[side] += again
    }
  }

  /// Hands out a table that differs, which is then gone from here.
  mutating func takeTable(of side: MergeSide) -> TableDifference? {
    tables[side].isEmpty ? nil : tables[side].removeFirst()
  }

  private mutating func doubt(_ table: TableDifference, of side: MergeSide) throws {
    let name = SQLName.folded(table.table)
    guard table.notCompared == nil, let old = base.tables[name],
      let new = schemas[side].tables[name]
    else { return }
    if try isNumberedAnew(table, old, new, of: side) { doubts.rowids.insert(name) }
    if try isNoRename(table, old, new) { doubts.renames.insert(name) }
  }

  /// Whether rows of a table without a key may have other rowids than in the base.
  ///
  /// VACUUM renumbers them, and so does a program that writes all rows into a new file. VACUUM raises
  /// the count of schema changes, but so do a migration and a merge that rebuilds an index. Therefore
  /// the count matters only if a row has few of the cells that its number had before. In both cases
  /// the content of a row is found under another number, though no merge moved it.
  private func isNumberedAnew(
    _ table: TableDifference, _ old: TableShape, _ new: TableShape, of side: MergeSide
  ) throws -> Bool {
    guard old.identity == .rowid(isDeclared: false), new.identity == old.identity else {
      return false
    }
    let isCookieOther = base.cookie != schemas[side].cookie
    if isCookieOther, table.rows.contains(where: { Self.isMostlyOther($0.old, $0.new) }) {
      return true
    }
    if let spilled = spills?[side].rows[SQLName.folded(table.table)] {
      let changes = ContentSearch(table.rows, spilled)
      if isCookieOther, try changes.contains(where: Self.isMostlyOther) { return true }
      return try changes.hasOldContent()
    }
    let known = moved[side][SQLName.folded(table.table)] ?? [:]
    var before: [CanonicalKey: [Int64]] = [:]
    for change in table.rows {
      guard let old = change.old, let number = change.key.first?.int else { continue }
      before[CanonicalKey(exactly: old), default: []].append(number)
    }
    return table.rows.contains { change in
      guard let new = change.new, let numbers = before[CanonicalKey(exactly: new)] else {
        return false
      }
      return !numbers.contains { known[$0] == change.key.first?.int }
    }
  }

  /// Whether at least half of a row's cells are others than under its number before.
  private static func isMostlyOther(_ old: [CellValue]?, _ new: [CellValue]?) -> Bool {
    guard let old, let new else { return false }
    return zip(old, new).count { $0 == $1 } * 2 <= new.count
  }

  /// Whether a column in the place of another one holds its default in a row that had another value
  /// there: then it may be a new column that nobody filled.
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
