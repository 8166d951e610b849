/// A person's choices for the rows of one table.
struct TableChoices {
  private var sides: [CanonicalKey: [String?: MergeSide]] = [:]

  /// Whether nothing was chosen.
  var isEmpty: Bool { sides.isEmpty }

  init() {}

  init(_ choices: [RowChoice], of table: TableMerge) {
    for choice in choices {
      sides[table.choiceKey(choice.key), default: [:]][choice.column] = choice.side
    }
  }

  /// The side that a row takes as a whole; nil if nobody chose.
  func side(of row: MergeRow, in table: TableMerge) -> MergeSide? {
    if isEmpty { return nil }
    return sides[table.choiceKey(table.keyValues(row))]?[nil]
  }

  /// The side that one cell takes: the choice for its column, else the one for the row; nil if nobody chose.
  func side(of row: MergeRow, column: String, in table: TableMerge) -> MergeSide? {
    if isEmpty { return nil }
    let chosen = sides[table.choiceKey(table.keyValues(row))]
    return chosen?[column] ?? chosen?[nil]
  }
}

extension TableMerge {
  /// The bytes under which a choice is found.
  fileprivate func choiceKey(_ values: [CellValue]) -> CanonicalKey {
    switch shape.identity {
    case .rowid: CanonicalKey(values, collations: [])
    case .primaryKey(let key): CanonicalKey(values, collations: key.map(\.collation))
    case .wholeRow: CanonicalKey(exactly: values)
    }
  }
}
