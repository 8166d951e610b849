/// A row on its way through a merge, by the columns of the table as it will be.
struct MergeRow: Hashable, Sendable {
  /// The row's rowid where rows are told apart by it; nil elsewhere.
  var rowid: Int64?

  /// The values; nil for a column the row's side does not have.
  var cells: [CellValue?]

  /// Whether two rows are the same in every column that both have.
  func agrees(with other: MergeRow) -> Bool {
    zip(cells, other.cells).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
  }

  /// The values of these columns; nil if one is absent or NULL.
  func values(_ columns: [Int]) -> [CellValue]? {
    var values: [CellValue] = []
    for column in columns {
      guard let value = cells[column], !value.isNull else { return nil }
      values.append(value)
    }
    return values
  }
}
