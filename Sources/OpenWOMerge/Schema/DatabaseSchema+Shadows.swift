extension DatabaseSchema {
  /// The folded names of the tables in which a virtual table keeps its content.
  func shadows(of entry: SchemaEntry) -> Set<String> {
    func prefix(_ entry: SchemaEntry) -> String { SQLName.folded(entry.name) + "_" }
    // A table whose name is longer has its own.
    let longer = entries.filter { $0.module != nil && prefix($0).hasPrefix(prefix(entry)) }
      .map(prefix).filter { $0 != prefix(entry) }
    return Set(
      shadowTables.keys.filter { name in
        name.hasPrefix(prefix(entry)) && !longer.contains { name.hasPrefix($0) }
      })
  }
}
