/// Which tables keep the content of virtual tables.
///
/// Not by name alone: a table of a known module is one only if the arguments of the virtual table make the module keep it, and if it
/// has the columns that the module gives it (<https://sqlite.org/fts5.html#fts5_data_structures>,
/// <https://sqlite.org/fts3.html#shadow_tables>, <https://sqlite.org/rtree.html#shadow_tables>). So every device decides the same
/// whatever modules it has, and a user's rows are never hidden.
struct ShadowTables {
  private let virtual: [SchemaEntry]

  init(_ entries: [SchemaEntry]) { virtual = entries.filter { $0.module != nil } }

  /// The folded name of the virtual table whose module made this table; nil for a table of the user's.
  func owner(of table: TableShape) -> String? {
    let name = SQLName.folded(table.name)
    return virtual.lazy.first { entry in
      let own = SQLName.folded(entry.name)
      guard let end = Self.end(of: name, behind: own), let layout = ModuleLayout(entry) else {
        return false
      }
      return layout.makes(end, of: table)
    }.map { SQLName.folded($0.name) }
  }

  /// The folded name of the virtual table that may keep its content in this table, as its module is not known.
  ///
  /// Its rows are shown like a user's. They are never merged cell by cell.
  func possibleOwner(of table: TableShape) -> String? {
    let name = SQLName.folded(table.name)
    let owners = virtual.filter { Self.end(of: name, behind: SQLName.folded($0.name)) != nil }
    // Of two names the longer one is nearer.
    guard let nearest = owners.max(by: { $0.name.utf8.count < $1.name.utf8.count }),
      ModuleLayout.isUnknown(nearest)
    else { return nil }
    return SQLName.folded(nearest.name)
  }

  /// What a name has behind the name of a virtual table and a line, byte for byte; nil if it begins otherwise.
  private static func end(of name: String, behind owner: String) -> String? {
    let beginning = (owner + "_").utf8
    guard name.utf8.starts(with: beginning) else { return nil }
    return String(decoding: name.utf8.dropFirst(beginning.count), as: UTF8.self)
  }
}
