package import OpenWOSQLite

extension Connection {
  /// How many rows the ordinary tables hold together.
  package func rowCount() throws -> Int {
    let tables = try SchemaReader(connection: self).read().tables.values
    return try tables.reduce(0) { sum, table in
      let rows = try cells("SELECT count(*) FROM main.\(SQLName.quoted(table.name))")
      return sum + Int(rows.first?.first?.int ?? 0)
    }
  }
}
