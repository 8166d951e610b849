package import OpenWOSQLite

/// Rows of a database that stay when another one replaces it.
///
/// They are merged into the new one from the merge base, as if this side had written nothing else.
/// So a row that both sides inserted with one number becomes two rows, and references follow.
package struct Pinning {
  /// Rows of one table, by an SQL expression on its columns.
  package struct Rows: Sendable {
    package let table: String
    package let condition: String

    package init(table: String, condition: String) {
      self.table = table
      self.condition = condition
    }
  }

  private struct Found {
    let shape: TableShape
    let rows: [MergeRow]
  }

  private let old: Connection
  private let new: Connection
  private let rows: [Rows]

  /// The rows of `old` that are to be in `new` too.
  package init(_ rows: [Rows], of old: Connection, in new: Connection) {
    self.rows = rows
    self.old = old
    self.new = new
  }

  /// Whether the new database lacks a row or has it with other values.
  package func isNeeded() throws -> Bool {
    let shapes = try SchemaReader(connection: new).read().tables
    return try found().contains { found in
      guard let shape = shapes[SQLName.folded(found.shape.name)],
        shape.columns == found.shape.columns
      else { return !found.rows.isEmpty }
      let writer = RowWriter(connection: new, shape: shape)
      return try found.rows.contains { try writer.find($0) != $0.cells.compactMap(\.self) }
    }
  }

  /// Makes two copies of the merge base the base and this side of a merge.
  ///
  /// A row that is there no longer in the new database leaves the base, or it would count as removed.
  package func prepare(base: Connection, side: Connection) throws {
    for connection in [base, side] { try connection.run("PRAGMA foreign_keys = OFF") }
    try base.transaction(.immediate) {
      try side.transaction(.immediate) { try write(base: base, side: side) }
    }
  }

  private func write(base: Connection, side: Connection) throws {
    let triggers = try dropTriggers(side)
    let shapes = try SchemaReader(connection: base).read().tables
    for found in try found() where !found.rows.isEmpty {
      guard let shape = shapes[SQLName.folded(found.shape.name)],
        shape.columns.map(\.name) == found.shape.columns.map(\.name)
      else {
        throw MergeRefusal(
          found.shape.name, "its columns changed, so no row of it can be kept through that")
      }
      let (mine, before) = (
        RowWriter(connection: side, shape: shape), RowWriter(connection: base, shape: shape)
      )
      let theirs = RowWriter(connection: new, shape: shape)
      for row in found.rows {
        if try mine.find(row) != nil { try mine.delete(row) }
        try mine.insert(row)
        if try theirs.find(row) == nil { try before.delete(row) }
      }
    }
    for sql in triggers { try side.run(sql) }
  }

  /// Triggers have done their work when the rows were written.
  private func dropTriggers(_ connection: Connection) throws -> [String] {
    let triggers = try connection.cells(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
    return try triggers.compactMap { row in
      guard let name = row[0].string, let sql = row[1].string else { return nil }
      try connection.run("DROP TRIGGER main.\(SQLName.quoted(name))")
      return sql
    }
  }

  private func found() throws -> [Found] {
    let shapes = try SchemaReader(connection: old).read().tables
    return try rows.compactMap { pinned in
      guard let shape = shapes[SQLName.folded(pinned.table)] else { return nil }
      let rowid = shape.rowidName.map(SQLName.quoted) ?? "0"
      let columns = shape.columns.map { SQLName.quoted($0.name) }
      let sql =
        "SELECT \(([rowid] + columns).joined(separator: ", ")) FROM main.\(SQLName.quoted(shape.name)) "
        + "WHERE \(pinned.condition)"
      let rows = try old.cells(sql).map { values in
        MergeRow(
          rowid: shape.rowidName == nil ? nil : values[0].int, cells: Array(values.dropFirst()))
      }
      return Found(shape: shape, rows: rows)
    }
  }
}
