package import OpenWOSQLite

/// One row of one table, found by a key as a person types it.
package struct TableRow: Sendable, Hashable {
  /// The names of the columns.
  package let columns: [String]
  /// The values; nil if there is no such row.
  package let values: [CellValue]?

  /// Looks up a row; nil if the database has no such table, or this many words do not identify its
  /// rows.
  package init?(_ connection: Connection, table name: String, key words: [String]) throws {
    let schema = try SchemaReader(connection: connection).read()
    guard let (shape, source) = try schema.writable(name, connection),
      let columns = source.keyColumnNames, columns.count == words.count
    else { return nil }
    var arguments: [CellValue] = []
    let conditions = zip(columns, words).map { column, word in
      let values = CellValue.meant(by: word)
      arguments += values
      let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
      return "\(SQLName.quoted(column)) IN (\(marks))"
    }
    let selected = source.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
    values = try connection.cells(
      "SELECT \(selected) FROM main.\(SQLName.quoted(source.name)) "
        + "WHERE \(conditions.joined(separator: " AND ")) LIMIT 1", arguments
    ).first
    self.columns = shape.columns.map(\.name)
  }
}

extension DatabaseSchema {
  /// The shape of a table that can be written row by row, and the table that its rows are read from; nil if there is none.
  func writable(
    _ name: String, _ connection: Connection
  ) throws -> (shape: TableShape, source: TableShape)? {
    let folded = SQLName.folded(name)
    if let table = tables[folded] { return (table, table) }
    guard
      let entry = entries.first(where: { SQLName.folded($0.name) == folded && $0.module != nil }),
      let virtual = try VirtualRows(entry, in: self, connection).table
    else { return nil }
    return (virtual.shape, virtual.source)
  }
}

extension TableShape {
  /// The columns that a row is found by; nil if only the whole row tells it.
  fileprivate var keyColumnNames: [String]? {
    switch identity {
    case .rowid: rowidName.map { [$0] }
    case .primaryKey(let key): key.map { columns[$0.column].name }
    case .wholeRow: nil
    }
  }
}

extension CellValue {
  /// All values that a word may mean, as nobody types the kind of a value.
  static func meant(by word: String) -> [CellValue] {
    var values: [CellValue] = [.text(word)]
    if let integer = Int64(word) { values.append(.integer(integer)) }
    if let real = Double(word), real.isFinite { values.append(.real(real)) }
    if let bytes = bytes(in: word) { values.append(.blob(bytes)) }
    return values
  }

  /// The bytes of a word such as `x'00FF'`.
  private static func bytes(in word: String) -> [UInt8]? {
    guard word.hasSuffix("'"), word.lowercased().hasPrefix("x'"), word.utf8.count > 2 else {
      return nil
    }
    let digits = word.dropFirst(2).dropLast().compactMap(\.hexDigitValue)
    guard digits.count == word.count - 3, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
