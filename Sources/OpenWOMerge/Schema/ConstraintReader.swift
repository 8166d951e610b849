import OpenWOSQLite

/// Reads the foreign keys and unique indexes of a table.
struct ConstraintReader {
  let connection: Connection
  let table: TableShape

  func foreignKeys() throws -> [ForeignKeyShape] {
    var keys: [(id: Int64, shape: ForeignKeyShape)] = []
    let rows = try connection.cells(
      "PRAGMA main.foreign_key_list(\(SQLName.quoted(table.name)))"
    ).sorted { ($0[0].int ?? 0, $0[1].int ?? 0) < ($1[0].int ?? 0, $1[1].int ?? 0) }
    for (_, parts) in Dictionary(grouping: rows, by: { $0[0].int ?? 0 }) {
      guard let first = parts.first, let parent = first[2].string else { continue }
      let shape = ForeignKeyShape(
        table: SQLName.folded(table.name), parent: SQLName.folded(parent),
        columns: parts.compactMap { $0[3].string.map(SQLName.folded) },
        parentColumns: parts.compactMap { $0[4].string.map(SQLName.folded) },
        cascadesDelete: first[6].string == "CASCADE",
        cascadesUpdate: first[5].string == "CASCADE")
      keys.append((first[0].int ?? 0, shape))
    }
    return keys.sorted { $0.id < $1.id }.map(\.shape)
  }

  /// The unique indexes over plain columns and all rows, except the primary key's.
  func uniques() throws -> [UniqueShape] {
    let places = Dictionary(
      table.columns.enumerated().map { (SQLName.folded($1.name), $0) },
      uniquingKeysWith: { a, _ in a }
    )
    let indexes = try connection.cells("PRAGMA main.index_list(\(SQLName.quoted(table.name)))")
    return try indexes.compactMap { row -> (String, UniqueShape)? in
      guard row.count > 4, row[2] == .integer(1), row[3].string != "pk", row[4] == .integer(0),
        let name = row[1].string
      else { return nil }
      let parts = try connection.cells("PRAGMA main.index_xinfo(\(SQLName.quoted(name)))")
        .filter { $0[5] == .integer(1) }
      let columns = parts.compactMap { $0[2].string.flatMap { places[SQLName.folded($0)] } }
      guard columns.count == parts.count else { return nil }
      let collations = parts.map { KeyCollation(name: $0[4].string ?? "BINARY") }
      return (name, UniqueShape(columns: columns, collations: collations))
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
