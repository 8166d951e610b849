/// Pairs the rows of two tables that come in any order.
protocol RowPairing {
  /// Takes a row of the first table.
  mutating func offer(old row: [CellValue], at place: TreeCursor.Place) throws
  /// Takes a row of the second table.
  mutating func offer(new row: [CellValue], at place: TreeCursor.Place) throws
  /// Takes a row of each with one number.
  mutating func offer(
    old row: [CellValue], at place: TreeCursor.Place, new: [CellValue],
    at newPlace: TreeCursor.Place) throws
  /// Reports what was found in key order; no row may be offered afterwards.
  mutating func finish(into collector: ChangeCollector) throws
}

extension KeyedComparison: RowPairing where Place == TreeCursor.Place {
  mutating func offer(
    old row: [CellValue], at place: TreeCursor.Place, new: [CellValue],
    at newPlace: TreeCursor.Place
  ) throws {
    try offer(old: row, at: place)
    try offer(new: new, at: newPlace)
  }
}
