import OpenWOSQLite

/// The rows of one table, read straight from the pages of its b-tree.
final class PagedTable {
  let source: any PageSource
  let shape: TableShape
  let text: StoredText
  let walk: TreeWalk
  let payload: PayloadReader
  private let connection: Connection
  private let placeWindow: PageWindow
  private var decoder: RecordDecoder
  private var defaults: [Int: CellValue] = [:]

  init(
    _ shape: TableShape, _ source: any PageSource, _ connection: Connection, text: StoredText
  ) throws {
    self.shape = shape
    self.source = source
    self.connection = connection
    self.text = text
    walk = try TreeWalk(source, root: shape.rootPage, isTable: !shape.isWithoutRowid)
    payload = PayloadReader(source)
    placeWindow = PageWindow(source, byteCount: source.pageSize)
    decoder = RecordDecoder(text: text)
  }

  /// The row in a cell, by the table's columns.
  func values(of cell: BTreeCell, page: UInt32) throws -> [CellValue] {
    try payload.withPayload(cell) { bytes in
      try decoder.open(bytes, page: page)
      var row: [CellValue] = []
      row.reserveCapacity(shape.columns.count)
      for (index, column) in shape.columns.enumerated() {
        if index == shape.rowidColumn {
          row.append(.integer(cell.rowid))
        } else if column.field < decoder.count {
          row.append(column.read(decoder.value(at: column.field)))
        } else {
          row.append(try defaultValue(index, rowid: cell.rowid, before: row))
        }
      }
      return row
    }
  }

  /// The row at a place found earlier.
  func values(at place: TreeCursor.Place) throws -> [CellValue] {
    let bytes = try placeWindow.page(place.page, ahead: 1)
    let page = try BTreePage(number: place.page, bytes: bytes, usable: source.usableSize)
    guard Int(place.cell) < page.cellCount else {
      throw MalformedPage(page: place.page, reason: .cellPointer)
    }
    return try values(of: BTreeCell(page, Int(place.cell)), page: place.page)
  }

  /// The value of a column in rows older than the column: a constant that SQLite computes once.
  private func defaultValue(
    _ index: Int, rowid: Int64, before row: [CellValue]
  ) throws -> CellValue {
    if let known = defaults[index] { return known }
    var conditions: [String] = []
    var arguments: [CellValue] = []
    if let name = shape.rowidName {
      conditions = ["\(SQLName.quoted(name)) = ?"]
      arguments = [.integer(rowid)]
    } else if case .primaryKey(let key) = shape.identity,
      key.allSatisfy({ $0.column < row.count })
    {
      conditions = key.map { "\(SQLName.quoted(shape.columns[$0.column].name)) IS ?" }
      arguments = key.map { row[$0.column] }
    } else {
      throw MalformedPage(page: shape.rootPage, reason: .header)
    }
    let found = try connection.cells(
      "SELECT \(SQLName.quoted(shape.columns[index].name)) FROM main."
        + "\(SQLName.quoted(shape.name)) WHERE \(conditions.joined(separator: " AND "))", arguments)
    guard let value = found.first?.first else {
      throw MalformedPage(page: shape.rootPage, reason: .header)
    }
    defaults[index] = value
    return value
  }
}

extension ColumnShape {
  /// The value that SQLite returns for a stored value: whole reals may be stored as integers.
  func read(_ stored: CellValue) -> CellValue {
    if isReal, case .integer(let whole) = stored { return .real(Double(whole)) }
    return stored
  }
}
