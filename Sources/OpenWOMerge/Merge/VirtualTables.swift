import OpenWOSQLite

/// What is to become of the content of virtual tables.
struct VirtualTables {
  /// Full-text tables over another table's rows, to be rebuilt from them.
  private(set) var rebuilt: [String] = []
  /// Shadow tables that only the other side changed, to be copied from it whole.
  private(set) var copied: [TableShape] = []

  init(
    schema: MergeSchema, schemas: Sides<DatabaseSchema>, loader: ChangeLoader, isTouched: Bool
  ) throws {
    let ground = schemas[schema.ground]
    let shadows = Set(ground.shadowTables.keys)
    if shadows.isEmpty { return }
    let other = try loader.changedShadows(of: schema.ground.other, among: shadows)
    if other.isEmpty, !isTouched { return }
    let mine = other.isEmpty ? [] : try loader.changedShadows(of: schema.ground, among: shadows)
    for entry in ground.entries {
      guard let module = entry.module else { continue }
      let own = shadows.filter { $0.hasPrefix(SQLName.folded(entry.name) + "_") }
      if module.hasPrefix("fts"), Self.hasForeignContent(entry) {
        if isTouched || !other.isDisjoint(with: own) { rebuilt.append(entry.name) }
      } else if !other.isDisjoint(with: own) {
        guard mine.isDisjoint(with: own) else {
          throw MergeRefusal(entry.name, "both sides changed the content of a virtual table")
        }
        copied += own.sorted().compactMap { ground.shadowTables[$0] }
      }
    }
  }

  /// Whether a full-text table indexes the rows of another table.
  private static func hasForeignContent(_ entry: SchemaEntry) -> Bool {
    let tokens = Array(SQLTokens(entry.sql ?? ""))
    guard let at = tokens.firstIndex(of: "CONTENT"), at + 2 < tokens.count, tokens[at + 1] == "="
    else { return false }
    return tokens[at + 2].utf8.count > 1
  }
}
