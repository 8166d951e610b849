/// Which tables keep the content of virtual tables, by SQLite's naming of them.
///
/// Decided by name, so that every device decides the same whatever modules it has. Of modules not
/// listed, no table is taken for a shadow: a user's rows are never hidden.
enum ShadowTables {
  private static let suffixes: [String: [String]] = [
    "fts3": ["content", "segments", "segdir", "docsize", "stat"],
    "fts4": ["content", "segments", "segdir", "docsize", "stat"],
    "fts5": ["data", "idx", "content", "docsize", "config"],
    "rtree": ["node", "rowid", "parent"],
    "rtree_i32": ["node", "rowid", "parent"],
    "geopoly": ["node", "rowid", "parent"],
  ]

  /// The folded names of all shadow tables among these entries.
  static func names(in entries: [SchemaEntry]) -> Set<String> {
    var names: Set<String> = []
    for entry in entries {
      guard let module = entry.module, let endings = suffixes[module] else { continue }
      for ending in endings { names.insert(SQLName.folded(entry.name + "_" + ending)) }
    }
    return names
  }
}
