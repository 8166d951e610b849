/// A row of `sqlite_schema`.
package struct SchemaEntry: Hashable, Sendable {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  /// The name of what is defined.
  package let name: String
  /// The table it belongs to.
  package let table: String
  /// The root of its b-tree; 0 for what has none.
  package let rootPage: UInt32
  /// Its definition; nil for an index that a constraint made.
  package let sql: String?

  /// The bytes of the definition, as texts in two Unicode forms define two things.
  var definition: [UInt8]? { sql.map { Array($0.utf8) } }

  /// The same thing with another definition.
  func defined(by sql: String?) -> SchemaEntry {
    SchemaEntry(type: type, name: name, table: table, rootPage: rootPage, sql: sql)
  }

  /// The module of a virtual table, in lower case; nil for anything else.
  var module: String? {
    guard type == "table", rootPage == 0, let sql else { return nil }
    var tokens = SQLTokens(sql)
    guard tokens.next() == "CREATE", tokens.next() == "VIRTUAL" else { return nil }
    while let token = tokens.next() {
      guard token == "USING" else { continue }
      guard let name = tokens.next() else { return nil }
      let isQuoted = name.utf8.first.map { [0x22, 0x27, 0x60, 0x5B].contains($0) } ?? false
      return SQLName.folded(isQuoted ? String(name.dropFirst()) : name)
    }
    return nil
  }
}
