import OpenWOSQLite

/// A column of a table that the same table lacks in the database it grew from.
struct AddedColumn: Hashable, Sendable {
  /// The values of its rows before anybody wrote to it.
  enum Origin: Hashable, Sendable {
    /// The values of the column from which it seems to have been renamed.
    case renamed(from: Int)
    /// The column's default; nil if that is unknown, so that any value may have been written.
    case filled(CellValue?)
  }

  /// The place of the column in the table.
  let place: Int
  let origin: Origin

  /// The known earlier value of a row in this column.
  func before(_ oldRow: [CellValue]) -> CellValue? {
    switch origin {
    case .renamed(let place): oldRow[place]
    case .filled(let value): value
    }
  }

  /// All such columns; `connection` is any to ask for defaults.
  static func all(
    from old: TableShape, to new: TableShape, believesRenames: Bool, _ connection: Connection
  ) throws -> [AddedColumn] {
    let oldNames = Set(old.columns.map { SQLName.folded($0.name) })
    return try new.columns.indices.compactMap { place in
      let column = new.columns[place]
      if oldNames.contains(SQLName.folded(column.name)) { return nil }
      if believesRenames, isRenamed(place, old, new) {
        return AddedColumn(place: place, origin: .renamed(from: place))
      }
      let value = try connection.valueOfOlderRows(in: column, of: new)
      return AddedColumn(place: place, origin: .filled(value))
    }
  }

  /// Whether a column is in the place of a removed one of the same kind.
  private static func isRenamed(_ place: Int, _ old: TableShape, _ new: TableShape) -> Bool {
    guard old.columns.count == new.columns.count else { return false }
    let (before, after) = (old.columns[place], new.columns[place])
    let isGone = !new.columns.contains { SQLName.folded($0.name) == SQLName.folded(before.name) }
    return isGone && before.declaredType == after.declaredType
      && before.isNotNull == after.isNotNull && before.defaultSQL == after.defaultSQL
      && (old.rowidColumn == place) == (new.rowidColumn == place)
  }
}
