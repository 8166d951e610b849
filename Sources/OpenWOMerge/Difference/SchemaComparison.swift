/// Compares two schemas entry by entry, and the settings in the header that applications use.
struct SchemaComparison {
  let old: DatabaseSchema
  let new: DatabaseSchema

  /// The differences, in order of type and name.
  func changes() -> [SchemaChange] {
    let before = Self.byName(old)
    let after = Self.byName(new)
    var changes: [SchemaChange] = []
    for (key, entry) in before {
      let twin = after[key]
      if let twin, twin.definition == entry.definition,
        twin.name.utf8.elementsEqual(entry.name.utf8)
      {
        continue
      }
      changes.append(
        SchemaChange(
          type: entry.type, name: twin?.name ?? entry.name, table: entry.table,
          kind: twin == nil ? .removed : .changed, old: entry.sql, new: twin?.sql))
    }
    for (key, entry) in after where before[key] == nil {
      changes.append(
        SchemaChange(
          type: entry.type, name: entry.name, table: entry.table, kind: .added, old: nil,
          new: entry.sql))
    }
    return (changes + settings()).sorted { ($0.type, $0.name) < ($1.type, $1.name) }
  }

  private func settings() -> [SchemaChange] {
    Set(old.settings.keys).union(new.settings.keys).compactMap { name in
      let (before, after) = (old.settings[name] ?? 0, new.settings[name] ?? 0)
      guard before != after else { return nil }
      return SchemaChange(
        type: "setting", name: name, table: "", kind: .changed, old: String(before),
        new: String(after))
    }
  }

  /// The parts that a person defined: without SQLite's own tables, indexes of constraints, and the
  /// shadow tables of virtual tables.
  private static func byName(_ schema: DatabaseSchema) -> [String: SchemaEntry] {
    var entries: [String: SchemaEntry] = [:]
    for entry in schema.entries where entry.sql != nil {
      let name = SQLName.folded(entry.name)
      if name.hasPrefix("sqlite_") || schema.shadowTables[name] != nil { continue }
      entries[entry.type + " " + name] = entry
    }
    return entries
  }
}
