/// One table in two databases, and how its rows are paired.
struct TablePair {
  /// How a row of one is found in the other.
  enum Pairing: Equatable {
    case rowid
    /// By key columns: their places in the old and the new table, and how text is compared.
    case key(old: [Int], new: [Int], collations: [KeyCollation])
    case wholeRow
  }

  let old: TableShape
  let new: TableShape
  let pairing: Pairing
  /// The columns both have, as places in the old and the new table.
  let common: [(old: Int, new: Int)]
  /// The columns that only the new one has, if they are compared.
  let added: [AddedColumn]
  /// Those of them in which a value is a change, unless it was there before anybody wrote.
  private let filled: [AddedColumn]

  init(old: TableShape, new: TableShape, added: [AddedColumn] = []) {
    self.old = old
    self.new = new
    let oldPlaces = Dictionary(
      old.columns.enumerated().map { (SQLName.folded($1.name), $0) },
      uniquingKeysWith: { a, _ in a }
    )
    var common = new.columns.enumerated().compactMap { place, column in
      oldPlaces[SQLName.folded(column.name)].map { (old: $0, new: place) }
    }
    var filled: [AddedColumn] = []
    for column in added {
      if case .renamed(let from) = column.origin {
        common.append((old: from, new: column.place))
      } else {
        filled.append(column)
      }
    }
    self.common = common
    self.added = added
    self.filled = filled
    pairing = Self.pairing(old, new)
  }

  private static func pairing(_ old: TableShape, _ new: TableShape) -> Pairing {
    switch (old.identity, new.identity) {
    case (.rowid, .rowid) where old.rowidName != nil && new.rowidName != nil:
      return .rowid
    case (.primaryKey(let a), .primaryKey(let b)) where old.keyNames == new.keyNames:
      let collations = zip(a, b).map { $0.collation == $1.collation ? $0.collation : .binary }
      return .key(old: a.map(\.column), new: b.map(\.column), collations: collations)
    case (.wholeRow, .wholeRow):
      return .wholeRow
    default:
      return old.rowidName != nil && new.rowidName != nil ? .rowid : .wholeRow
    }
  }

  /// The name of the pairing in a report.
  var keyedBy: TableDifference.Keying {
    switch pairing {
    case .key: .primaryKey
    case .wholeRow: .wholeRow
    case .rowid:
      old.identity == .rowid(isDeclared: true) && new.identity == .rowid(isDeclared: true)
        ? .primaryKey : .rowid
    }
  }

  /// Whether every column means the same in both, so that equal records are equal rows.
  var hasSameColumns: Bool {
    old.columns.elementsEqual(new.columns) { $0.isStored(like: $1) }
      && old.isWithoutRowid == new.isWithoutRowid && old.rowidColumn == new.rowidColumn
  }

  /// Whether the two rows differ in a column both tables have, or somebody wrote in one that was added.
  func differs(_ oldRow: [CellValue], _ newRow: [CellValue]) -> Bool {
    common.contains { oldRow[$0.old] != newRow[$0.new] }
      || filled.contains { $0.before(oldRow) != newRow[$0.place] }
  }

  /// How many values the key has; a row without one has more.
  var keyCount: Int { if case .key(let places, _, _) = pairing { places.count } else { .max } }

  /// The values by which a row is found.
  ///
  /// A key with NULL in it does not identify a row, as SQLite allows many such rows: then the whole
  /// row is the key.
  func keyValues(old row: [CellValue]) -> [CellValue] {
    guard case .key(let places, _, _) = pairing else { return common.map { row[$0.old] } }
    let key = places.map { row[$0] }
    return key.contains(where: \.isNull) ? key + common.map { row[$0.old] } : key
  }

  /// The same for a row of the new table.
  func keyValues(new row: [CellValue]) -> [CellValue] {
    guard case .key(_, let places, _) = pairing else { return common.map { row[$0.new] } }
    let key = places.map { row[$0] }
    return key.contains(where: \.isNull) ? key + common.map { row[$0.new] } : key
  }

  /// The values by which a row is found, and the bytes to find it under.
  func key(old row: [CellValue]) -> (values: [CellValue], canonical: CanonicalKey) {
    canonical(keyValues(old: row))
  }

  /// The same for a row of the new table.
  func key(new row: [CellValue]) -> (values: [CellValue], canonical: CanonicalKey) {
    canonical(keyValues(new: row))
  }

  private func canonical(
    _ values: [CellValue]
  ) -> (values: [CellValue], canonical: CanonicalKey) {
    guard case .key(_, _, let collations) = pairing, values.count == collations.count else {
      return (values, CanonicalKey(exactly: [.null] + values))
    }
    return (values, CanonicalKey(values, collations: collations))
  }
}

extension TableShape {
  /// The folded names of the declared key's columns; empty if the rowid is the key.
  var keyNames: [String] {
    guard case .primaryKey(let key) = identity else { return [] }
    return key.map { SQLName.folded(columns[$0.column].name) }
  }
}
