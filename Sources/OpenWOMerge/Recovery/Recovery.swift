package import OpenWOSQLite

/// Writes what can be read of a damaged database into a new one.
///
/// The damaged one is read page by page and never opened by SQLite. Rows whose table cannot be told go into a table `lost_and_found`, as with
/// `.recover` of the sqlite3 shell.
package struct Recovery {
  /// The report of what was written.
  package struct Report: Sendable, Hashable {
    /// The rows of each table, in the order of the schema.
    package var tables: [(name: String, rows: Int)] { zip(names, rows).map { ($0, $1) } }
    var names: [String] = []
    var rows: [Int] = []
    /// The table with the rows whose own one cannot be told; nil if there are none.
    package var lostTable: String?
    /// How many rows are in it.
    package var lostTableRows = 0
    /// How many rows could not be read.
    package var unreadable = 0
    /// What could not be recovered as it was.
    package var notes: [String] = []
  }

  private let source: any PageSource
  private let salvage: Salvage
  private let header: [UInt8]

  /// Prepares to read the pages of a source.
  ///
  /// - Throws: What the source throws when it cannot be read.
  package init(_ source: any PageSource) throws {
    self.source = source
    let buffer = PageBuffer(byteCount: source.pageSize)
    try source.readPage(1, into: buffer)
    let header = Array(buffer.readable[..<100])
    self.header = header
    let isHeader = DatabaseHeader.parse(header) != nil
    let encoding = isHeader ? StoredText(rawValue: header[59] & 3) : nil
    salvage = Salvage(source, encoding ?? .utf8)
  }

  /// Writes everything into a new, empty database.
  package func run(into target: Connection) throws -> Report {
    var writer = RecoveryWriter(target, salvage)
    try writer.prepare(pageSize: source.pageSize, DatabaseHeader.parse(header))
    try salvage.passOverFreelist(from: freelist)
    let schema = try readSchema()
    try target.withoutForeignKeys {
      try target.transaction {
        try writer.writeTables(schema)
        try writer.writeOrphans()
        try writer.writeRest(schema)
      }
    }
    writer.report.unreadable = salvage.lostRows
    return writer.report
  }

  private var freelist: UInt32 {
    guard DatabaseHeader.parse(header) != nil else { return 0 }
    return header.withUnsafeBytes { BTreePage.word($0, 32) }
  }

  /// The rows of the schema; if its tree is gone, those that are on pages which belong to no tree.
  private func readSchema() throws -> [SchemaRow] {
    var rows: [SchemaRow] = []
    try salvage.forEachRow(root: 1, isTable: true) { row in
      if let entry = SchemaRow(row.values) { rows.append(entry) }
    }
    if !rows.isEmpty { return rows }
    try salvage.forEachOrphan { row in
      if let entry = SchemaRow(row.values), entry.isPlausible { rows.append(entry) }
    }
    return rows
  }
}
