/// A row of `sqlite_schema`, read from the pages: <https://sqlite.org/schematab.html>.
struct SchemaRow {
  let kind: String
  let name: String
  let table: String
  /// 0 if it has no b-tree, as a view or a virtual table.
  let root: UInt32
  /// Nil for an index that a constraint makes.
  let sql: String?

  /// SQLite accepts no longer statement.
  private static let longest = 1 << 20

  /// The rows, in order of their numbers; other rows are left out.
  static func all(in source: any PageSource, _ text: StoredText) throws -> [SchemaRow] {
    let walk = try TreeWalk(source, root: 1, isTable: true)
    let cursor = TreeCursor(
      walk, source: source, skipping: PageSet(pageCount: source.pageCount))
    let reader = PayloadReader(source)
    var decoder = RecordDecoder(text: text)
    var rows: [SchemaRow] = []
    while let cell = try cursor.next() {
      guard cell.payloadSize <= longest + 4096 else { continue }
      let row = try reader.withPayload(cell) { bytes in
        try decoder.open(bytes, page: cursor.place.page)
        return SchemaRow((0..<decoder.count).map { decoder.value(at: $0) })
      }
      if let row { rows.append(row) }
    }
    return rows
  }

  init?(_ record: [CellValue]) {
    guard record.count >= 5, let kind = record[0].string, let name = record[1].string,
      let table = record[2].string
    else { return nil }
    (self.kind, self.name, self.table) = (kind, name, table)
    root = UInt32(clamping: record[3].int ?? 0)
    sql = record[4].string
  }

  /// Whether a row that was found anywhere is one of a schema.
  var isPlausible: Bool {
    guard ["table", "index", "view", "trigger"].contains(kind) else { return false }
    return sql.map { SQLTokens($0).first { _ in true } == "CREATE" } ?? (kind == "index")
  }

  /// Whether it is a table whose rows are in an index b-tree.
  var isWithoutRowID: Bool { kind == "table" && has("WITHOUT", before: "ROWID") }

  /// Whether it is an index that leaves rows out.
  var isPartial: Bool {
    guard kind == "index", let sql else { return false }
    return SQLTokens(sql).contains("WHERE")
  }

  private func has(_ word: String, before next: String) -> Bool {
    guard let sql else { return false }
    let words = Array(SQLTokens(sql))
    return zip(words, words.dropFirst()).contains { $0 == word && $1 == next }
  }
}
