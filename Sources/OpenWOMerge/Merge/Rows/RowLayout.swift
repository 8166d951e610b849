/// How the values of one database's rows become rows of the result.
struct RowLayout {
  /// The place of each column of the result among the values; nil if it is not there.
  private let places: [Int?]
  private let added: [AddedColumn]
  private let isNumbered: Bool
  /// Whether the values are those of the result as they are.
  private let isSame: Bool

  /// The layout of rows with these columns; `added` tells what rows held before that lack a column.
  init(of columns: [String], in shape: TableShape, _ added: [AddedColumn] = []) {
    var known: [String: Int] = [:]
    for (place, name) in columns.enumerated() { known[SQLName.folded(name)] = place }
    places = shape.columns.map { known[SQLName.folded($0.name)] }
    self.added = added
    isNumbered = if case .rowid = shape.identity { true } else { false }
    isSame = added.isEmpty && places == Array(columns.indices)
  }

  /// A row by the columns of the result.
  func row(_ values: [CellValue], _ key: [CellValue]) -> MergeRow {
    var cells: [CellValue?]
    if isSame {
      cells = values
    } else {
      cells = places.map { $0.map { values[$0] } }
      for column in added { cells[column.place] = column.before(values) }
    }
    return MergeRow(rowid: isNumbered ? key.first?.int : nil, cells: cells)
  }
}
