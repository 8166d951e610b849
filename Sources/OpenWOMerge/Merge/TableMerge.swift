/// One table on its way through a merge.
final class TableMerge {
  /// A foreign key with its columns found.
  struct Reference {
    let columns: [Int]
    let parent: String
    let parentColumns: [Int]
    let cascadesDelete: Bool
    let cascadesUpdate: Bool
  }

  let shape: TableShape
  let rule: TableRule
  let uniques: [UniqueShape]
  /// Unique indexes over some rows, or over expressions.
  var computed: [ComputedUnique] = []
  /// Whether rows stay that only one side deleted.
  var keepsDeleted = false
  /// The numbers of rows of the base that are there because of that alone.
  var doubtful: Set<Int64> = []
  /// Set once all tables are known.
  var references: [Reference] = []
  var changes: Sides<[SideChange]>
  /// Rows that are decided one at a time, beside those among the changes.
  var plain: PlainRows?
  var renumbered: [Renumbering] = []
  /// A person's choices for its rows.
  var choices = TableChoices()
  /// What was declared of it.
  var declared = TableDeclarations()
  /// The final numbers of the base's rows, if a side has already renumbered them.
  var finalNumbers: [Int64: Int64] = [:]
  /// The same for the numbers that a side has them under.
  var moved = Sides<[Int64: Int64]>(ours: [:], theirs: [:])

  /// How each column of the primary key, and of each unique index, is compared.
  private let collationsByColumn: [[Int: KeyCollation]]

  init(
    _ shape: TableShape, rule: TableRule, uniques: [UniqueShape], changes: Sides<[SideChange]>
  ) {
    self.shape = shape
    self.rule = rule
    self.uniques = uniques
    self.changes = changes
    var indexes = uniques.map { Array(zip($0.columns, $0.collations)) }
    if case .primaryKey(let key) = shape.identity {
      indexes.insert(key.map { ($0.column, $0.collation) }, at: 0)
    }
    collationsByColumn = indexes.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
  }

  /// The columns by which new rows of both sides are found to be one: unique ones that are no place, and declared keys.
  var naturalKeys: [UniqueShape] {
    guard let place = declared.place?.column else { return uniques + declared.keys }
    return uniques.filter { !$0.columns.contains(place) } + declared.keys
  }

  /// How many rows a side changed.
  func changeCount(_ side: MergeSide) -> Int { changes[side].count + (plain?.counts[side] ?? 0) }

  /// Whether a side changed the row with a key into what it is there.
  func hasChanged(_ key: [CellValue], _ side: MergeSide) throws -> Bool {
    if changes[side].contains(where: { $0.row.map(keyValues) == key }) { return true }
    guard let plain else { return false }
    guard isNumbered else { return try plain.contains(RowPlace(key), of: side) }
    guard case .integer(let number)? = key.first else { return false }
    return try plain.contains(RowPlace(number), of: side)
  }

  /// Whether a row of a side has another key in the result.
  func isRenumbered(_ side: MergeSide) -> Bool {
    renumbered.contains { $0.side == side }
      || plain?.renumbered.contains { $0.side == side } ?? false
  }

  /// Whether rows are told apart by a number that SQLite gave them, so that the same number on both
  /// sides may mean different rows.
  var isNumbered: Bool {
    if case .rowid = shape.identity { true } else { false }
  }

  /// Whether these numbers are the rows' own, and no reference to another row.
  var hasOwnNumbers: Bool {
    guard isNumbered else { return false }
    guard let column = shape.rowidColumn else { return true }
    return !references.contains { $0.columns.contains(column) }
  }

  /// Whether nothing but all of its values tells a row from others: there may be several such rows.
  func isNamedByWholeRow(_ row: MergeRow) -> Bool {
    switch shape.identity {
    case .rowid: false
    case .primaryKey(let key): key.contains { row.cells[$0.column]?.isNull ?? true }
    case .wholeRow: true
    }
  }

  /// Whether a row of the base that only one side deleted stays, so that what the other one made of it is not taken for a new row.
  ///
  /// Not where another key could bring it together with a new one.
  func outlivesDeletion(_ row: MergeRow?) -> Bool {
    if isDoubtful(row) { return true }
    return keepsDeleted && row?.rowid != nil && hasOwnNumbers && rule != .singleton
      && naturalKeys.isEmpty && computed.isEmpty
  }

  /// Whether a row of the base is there only because not all of those that it was made of had deleted it.
  func isDoubtful(_ row: MergeRow?) -> Bool { row?.rowid.map(doubtful.contains) ?? false }

  /// The values that tell a row from others.
  func keyValues(_ row: MergeRow) -> [CellValue] {
    switch shape.identity {
    case .rowid: [.integer(row.rowid ?? 0)]
    case .primaryKey(let key): key.map { row.cells[$0.column] ?? .null }
    case .wholeRow: row.cells.map { $0 ?? .null }
    }
  }

  /// The same as bytes to look it up by; a key with NULL in it does not identify a row, so the
  /// whole row is the key.
  func key(_ row: MergeRow) -> CanonicalKey {
    let values = keyValues(row)
    guard case .primaryKey(let key) = shape.identity, !values.contains(.null) else {
      if case .rowid = shape.identity { return CanonicalKey(values, collations: []) }
      return CanonicalKey(exactly: [.null] + row.cells.map { $0 ?? .null })
    }
    return CanonicalKey(values, collations: key.map(\.collation))
  }

  /// The key of the row that a change is about, as it will be.
  func key(_ change: SideChange) -> CanonicalKey? { (change.row ?? change.base).map(key) }

  /// The unique values of a row under one index; nil if NULL makes it as good as absent.
  func uniqueKey(_ row: MergeRow, _ unique: UniqueShape) -> CanonicalKey? {
    row.values(unique.columns).map { CanonicalKey($0, collations: unique.collations) }
  }

  /// The key under which rows are found that others point to, of their own values or of those that point to them: SQLite
  /// takes the latter as these columns would.
  func key(of values: [CellValue], pointedToIn columns: [Int]) -> CanonicalKey {
    let taken = zip(columns, values).map { shape.columns[$0].affinity.taking($1) }
    // The columns may be named in another order than that of the key.
    let index = collationsByColumn.first { Set($0.keys) == Set(columns) }
    return CanonicalKey(taken, collations: columns.map { index?[$0] ?? .binary })
  }

  /// Whether no two rows have the same values in these columns, by their folded names; none are the primary key.
  func isKey(_ names: [String]) -> Bool {
    let columns = names.compactMap { name in
      shape.columns.firstIndex { SQLName.folded($0.name) == name }
    }
    if columns.isEmpty || columns == [shape.rowidColumn] { return columns.count == names.count }
    return collationsByColumn.contains { Set($0.keys) == Set(columns) }
  }

  /// Whether a row's key is only its own.
  ///
  /// A key that is also a reference cannot be chosen.
  var canRekey: Bool {
    switch shape.identity {
    case .rowid: return hasOwnNumbers
    case .primaryKey(let key):
      let others = Set(references.flatMap(\.columns))
      return key.allSatisfy { !others.contains($0.column) }
    case .wholeRow: return false
    }
  }

  /// The key of a row, to be given to another one.
  func givenKey(of row: MergeRow) -> GivenKey {
    guard case .primaryKey(let key) = shape.identity else { return .rowid(row.rowid ?? 0) }
    return .values(
      Dictionary(
        key.map { ($0.column, row.cells[$0.column] ?? .null) }, uniquingKeysWith: { a, _ in a }))
  }

  /// Gives a row of one side another key.
  func rekey(_ row: MergeRow, _ key: GivenKey) -> MergeRow {
    var row = row
    switch key {
    case .rowid(let id):
      row.rowid = id
      if let column = shape.rowidColumn { row.cells[column] = .integer(id) }
    case .values(let values):
      for (column, value) in values { row.cells[column] = value }
    }
    return row
  }
}
