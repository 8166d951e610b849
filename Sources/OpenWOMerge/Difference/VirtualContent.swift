/// Finds out which virtual tables keep another content of their own in one of two databases.
///
/// A table that only indexes the rows of another table keeps none: that one's rows tell.
struct VirtualContent {
  static let notCompared = "the content of the virtual table differs, and cannot be compared"

  private let before: DatabaseSchema
  private let after: DatabaseSchema

  init(_ before: DatabaseSchema, _ after: DatabaseSchema) {
    (self.before, self.after) = (before, after)
  }

  /// The virtual tables whose content differs; `compare` compares one table of a module, by folded name.
  func changes(_ compare: (String) throws -> TableDifference?) throws -> [TableDifference] {
    var changes: [TableDifference] = []
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let shadows = before.shadows(of: entry).union(after.shadows(of: entry))
      let content = name + "_content"
      if entry.module?.hasPrefix("fts") ?? false, shadows.contains(content) {
        // All else is an index of these rows.
        if let rows = try compare(content), !rows.isEqual { changes.append(rows) }
      } else if try shadows.contains(where: { try !(compare($0)?.isEqual ?? true) }) {
        var change = TableDifference(
          table: entry.name, keyedBy: .rowid, oldColumns: [], newColumns: [])
        change.notCompared = Self.notCompared
        changes.append(change)
      }
    }
    return changes
  }

  private var entries: [String: SchemaEntry] {
    let all = (before.entries + after.entries).filter {
      $0.module != nil && $0.contentTable == nil
    }
    return Dictionary(all.map { (SQLName.folded($0.name), $0) }, uniquingKeysWith: { $1 })
  }
}
