package import OpenWOSQLite

/// The tables of a database as other programs should get them: with the rows of virtual tables, and without the tables behind those.
package struct DataTables {
  /// A table that can be written out.
  package struct Table {
    /// Its name.
    package let name: String
    /// The names of its columns.
    package let columns: [String]
    fileprivate let selection: Selection
  }

  fileprivate enum Selection {
    case ordinary
    case stored(VirtualTable)
  }

  /// The tables, in order of name.
  package private(set) var tables: [Table] = []
  /// The virtual tables whose rows cannot be read, and why.
  package private(set) var leftOut: [(name: String, reason: String)] = []

  private let connection: Connection

  /// Looks at the schema of a database; with `names` only at these tables.
  package init(_ connection: Connection, only names: [String]? = nil) throws {
    self.connection = connection
    let schema = try SchemaReader(connection: connection).read()
    let entries = schema.entries.filter {
      $0.type == "table" && !SQLName.folded($0.name).hasPrefix("sqlite_")
    }
    guard let names else {
      for entry in entries.sorted(by: { $0.name < $1.name })
      where schema.shadowTables[SQLName.folded(entry.name)] == nil {
        try add(entry, schema)
      }
      return
    }
    for (place, name) in names.enumerated()
    where names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) == place {
      for entry in Self.meant(by: name, among: entries) { try add(entry, schema) }
    }
  }

  /// The tables of this very name or, if there are none, of the name in another Unicode form.
  private static func meant(by name: String, among entries: [SchemaEntry]) -> [SchemaEntry] {
    let alike = entries.filter { $0.name == name }
    let same = alike.filter { $0.name.utf8.elementsEqual(name.utf8) }
    return same.isEmpty ? alike : same
  }

  private mutating func add(_ entry: SchemaEntry, _ schema: DatabaseSchema) throws {
    if entry.module == nil {
      try addAsked(entry.name)
      return
    }
    switch try VirtualRows(entry, in: schema, connection) {
    case .readable(let table) where !table.isAsked:
      let columns = table.shape.columns.dropFirst().map(\.name)
      tables.append(Table(name: entry.name, columns: columns, selection: .stored(table)))
    case .readable: try addAsked(entry.name)
    case .unreadable(let reason): leftOut.append((entry.name, reason))
    case .elsewhere:
      do {
        // Only a row that is asked for shows that the rows of another table are out of reach.
        _ = try connection.cells("SELECT * FROM \(SQLName.quoted(entry.name)) LIMIT 1")
        try addAsked(entry.name)
      } catch let error as SQLiteError where error.code == .error {
        leftOut.append((entry.name, error.message))
      }
    case .none: break
    }
  }

  private mutating func addAsked(_ name: String) throws {
    let columns = try connection.columnNames(ofTable: name)
    tables.append(Table(name: name, columns: columns, selection: .ordinary))
  }

  /// Hands out each row of one of the tables, in the order of its key.
  package func forEachRow(of table: Table, _ body: ([CellValue]) throws -> Void) throws {
    switch table.selection {
    case .ordinary:
      try connection.forEachRow(ofTable: table.name) { row in
        try body((0..<row.count).map { try CellValue(column: row.column($0)) })
      }
    case .stored(let virtual):
      let scan = RowScan(connection, virtual.source)
      while let row = try scan.next() { try body(Array(row.values.dropFirst())) }
    }
  }
}
