import OpenWOSQLite

/// Columns that one side has and the result has not, as the other side renamed or removed them.
struct LostColumns {
  private let columns: [(place: Int, name: String, before: CellValue?)]

  /// Those of a side's table; `connection` is any to ask for defaults.
  init(of table: TableShape, in result: TableShape, _ connection: Connection) throws {
    let kept = Set(result.columns.map { SQLName.folded($0.name) })
    columns = try table.columns.indices.compactMap { place in
      let column = table.columns[place]
      if kept.contains(SQLName.folded(column.name)) { return nil }
      return (place, column.name, try connection.valueOfOlderRows(in: column, of: table))
    }
  }

  /// Throws a refusal if the side wrote to such a column, as the value would be lost in the result.
  func check(_ table: TableDifference) throws {
    for (place, name, before) in columns {
      let from = table.oldColumns.firstIndex { SQLName.folded($0) == SQLName.folded(name) }
      let written = table.rows.filter { change in
        guard let new = change.new?[place] else { return false }
        guard let old = change.old, let from else { return new != before }
        return new != old[from]
      }
      if written.isEmpty { continue }
      throw MergeRefusal(
        table.table, rows: written.prefix(10).map(\.key),
        "one side removed or renamed the column \(name), the other wrote in it")
    }
  }
}
