/// The place of a row in the order in which a merge decides: by its number, or by its key.
struct RowPlace {
  /// The number; 0 if the row has a key of other values.
  let number: Int64
  /// The values of the key; empty if rows have numbers.
  let key: [CellValue]

  init(_ number: Int64) {
    self.number = number
    key = []
  }

  init(_ key: [CellValue]) {
    number = 0
    self.key = key
  }

  /// How this place compares to another one of the same table.
  func rank(against other: RowPlace) -> Int {
    if key.isEmpty, other.key.isEmpty {
      return number < other.number ? -1 : (number == other.number ? 0 : 1)
    }
    return CellValue.rank(ofKeys: key, other.key)
  }
}

extension TableMerge {
  /// The place of a row that was decided; nil if the table has no order by which rows are decided one at a time.
  func place(of merged: MergedRow) -> RowPlace? {
    let changes = merged.changes
    guard plain != nil,
      let row = changes.ours?.row ?? changes.ours?.base ?? changes.theirs?.row
        ?? changes.theirs?.base
    else { return nil }
    return place(of: row)
  }

  /// The place of a row.
  func place(of row: MergeRow) -> RowPlace {
    isNumbered ? RowPlace(row.rowid ?? 0) : RowPlace(keyValues(row))
  }
}
