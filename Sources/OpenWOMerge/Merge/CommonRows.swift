package import OpenWOSQLite

/// Reduces a private copy of a database to the rows that another one has as well.
///
/// The rows with which two databases began alike, such as an app's seeds, are the base from which a
/// merge can tell what each of them deleted.
package struct CommonRows {
  private let copy: Connection
  private let other: Connection

  /// The copy is changed; the other one is only read.
  package init(in copy: Connection, and other: Connection) {
    self.copy = copy
    self.other = other
  }

  /// Takes out every row that the other database lacks or has with other values.
  package func keep() throws {
    let shapes = try SchemaReader(connection: copy).read().tables
    let found = try difference(from: copy, to: other, options: DifferenceOptions(rows: .all))
    try copy.run("PRAGMA foreign_keys = OFF")
    try copy.transaction(.immediate) {
      // Triggers have done their work when the rows were written.
      let triggers = try copy.cells(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
      for trigger in triggers {
        try copy.run("DROP TRIGGER main.\(SQLName.quoted(trigger[0].string ?? ""))")
      }
      for table in found.tables {
        guard let shape = shapes[SQLName.folded(table.table)] else { continue }
        try takeOut(table, shape)
      }
      for trigger in triggers { try copy.run(trigger[1].string ?? "") }
    }
  }

  private func takeOut(_ table: TableDifference, _ shape: TableShape) throws {
    let columns = shape.columns.map(\.name)
    guard table.notCompared == nil, table.oldColumns == columns else {
      return try copy.run("DELETE FROM main.\(SQLName.quoted(shape.name))")
    }
    let writer = RowWriter(connection: copy, shape: shape)
    for change in table.rows {
      guard let old = change.old else { continue }
      let isNumbered = if case .rowid = shape.identity { true } else { false }
      try writer.delete(MergeRow(rowid: isNumbered ? change.key.first?.int : nil, cells: old))
    }
  }
}
