import OpenWOSQLite

/// Makes sure that no row of the result points nowhere, unless it did so before.
struct ReferenceChecker {
  let plan: MergePlan
  let connection: Connection

  /// Rows that point nowhere, under the values by which they point.
  private struct Dangling {
    var count: Int64 = 0
    /// The key of one of the rows of the result.
    var example: [CellValue] = []
  }

  func check() throws {
    for name in plan.order {
      guard let table = plan.tables[name]?.shape else { continue }
      for key in try ConstraintReader(connection: connection, table: table).foreignKeys() {
        let parent = plan.tables[key.parent]
        // SQLite cannot check this reference either, as it does not refer to a key.
        if let parent, !parent.isKey(key.parentColumns) { continue }
        let found = try dangling(key, table, in: connection)
        if found.isEmpty { continue }
        let sides = try MergeSide.allCases.map { try dangling(key, table, in: plan.sides[$0]) }
        let base = try plan.base.map { try dangling(key, table, in: $0) } ?? [:]
        for (values, rows) in found {
          let counts = sides.map { $0[values]?.count ?? 0 }
          // Both sides have the violations of the base, so these were counted twice.
          let allowed = max(
            counts[0] + counts[1] - (base[values]?.count ?? 0), counts[0], counts[1])
          if rows.count <= allowed { continue }
          throw MergeRefusal(
            table.name, rows: [rows.example],
            "the row it points to in \(parent?.shape.name ?? key.parent) is gone")
        }
      }
    }
  }

  /// All such rows of a table; none if the database does not have the table as it is in the result.
  ///
  /// As in SQLite, values are converted and compared as in the referenced columns
  /// (<https://sqlite.org/foreignkeys.html#fk_basics>).
  private func dangling(
    _ key: ForeignKeyShape, _ table: TableShape, in database: Connection
  ) throws -> [CanonicalKey: Dangling] {
    guard try columns(of: key.table, in: database).isSuperset(of: key.columns) else { return [:] }
    let child = key.columns.map { "c.\(SQLName.quoted($0))" }
    let parents = try parentColumns(key, database)
    var (tables, conditions) = (SQLName.quoted(key.table) + " AS c", child.map { "\($0) NOTNULL" })
    if parents.count == child.count {
      let columns = parents.map { "p.\(SQLName.quoted($0))" }
      let same = zip(columns, child).map { "\($0) = +\($1)" }
      // A join, as SQLite makes an automatic index if there is none.
      tables +=
        " LEFT JOIN main.\(SQLName.quoted(key.parent)) AS p ON "
        + same.joined(separator: " AND ")
      conditions.append("\(columns[0]) ISNULL")
    }
    let example = database === connection ? keyColumns(table) : []
    let fields = child + ["count(*)"] + example.map { "c.\(SQLName.quoted($0))" }
    let rows = try database.cells(
      "SELECT \(fields.joined(separator: ", ")) FROM main.\(tables) "
        + "WHERE \(conditions.joined(separator: " AND ")) "
        + "GROUP BY \(child.joined(separator: ", "))")
    var found: [CanonicalKey: Dangling] = [:]
    for row in rows {
      let values = CanonicalKey(row.prefix(child.count), collations: [])
      found[values] = Dangling(
        count: row[child.count].int ?? 0, example: Array(row.dropFirst(child.count + 1)))
    }
    return found
  }

  /// The folded names of a table's columns; none if there is no such table.
  private func columns(of table: String, in database: Connection) throws -> Set<String> {
    guard try database.hasTable(table) else { return [] }
    let columns = try database.cells("PRAGMA main.table_xinfo(\(SQLName.quoted(table)))")
    return Set(columns.compactMap { $0[1].string.map(SQLName.folded) })
  }

  /// The columns that a key refers to; none if the database lacks one of them, so that the key
  /// refers to nothing.
  private func parentColumns(_ key: ForeignKeyShape, _ database: Connection) throws -> [String] {
    if key.parentColumns.isEmpty {
      return try database.cells("PRAGMA main.table_info(\(SQLName.quoted(key.parent)))")
        .filter { $0[5].int ?? 0 > 0 }.sorted { ($0[5].int ?? 0) < ($1[5].int ?? 0) }
        .compactMap { $0[1].string }
    }
    let known = try columns(of: key.parent, in: database)
    return known.isSuperset(of: key.parentColumns) ? key.parentColumns : []
  }

  private func keyColumns(_ table: TableShape) -> [String] {
    switch table.identity {
    case .rowid: [table.rowidName].compactMap(\.self)
    case .primaryKey(let key): key.map { table.columns[$0.column].name }
    case .wholeRow: table.columns.map(\.name)
    }
  }
}
