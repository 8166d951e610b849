/// Which tables a script writes row by row, which it rebuilds, and which parts of the schema it
/// drops and creates.
struct ScriptPlan {
  /// Statements before any row: what is dropped, and tables that are made.
  private(set) var before: [String] = []
  /// Tables that are emptied or made new, and then filled with all of their rows.
  private(set) var rebuilt: [TableShape] = []
  /// Tables whose changed rows are written, and whether by UPDATE.
  private(set) var changed: [(TableDifference, TableShape, usesUpdates: Bool)] = []
  /// Virtual tables that are made new, and then filled with all of their rows.
  private(set) var filled: [VirtualTable] = []
  /// Virtual tables whose changed rows are deleted and put in again.
  private(set) var rewritten: [(TableDifference, VirtualTable)] = []
  /// Virtual tables that a script cannot make, drop or change, as only their module knows how they are read.
  private(set) var leftOut: [SchemaEntry] = []
  /// Statements after all rows: indexes, views, triggers, settings.
  private(set) var after: [String] = []

  private let old: DatabaseSchema
  private let new: DatabaseSchema
  private let changes: [SchemaChange]
  private let virtual: [String: VirtualRows]
  private var remade: Set<String> = []
  private var touched: Set<String> = []

  /// `virtual` has the virtual tables of the new database, by folded name.
  init(
    _ difference: DatabaseDifference, _ old: DatabaseSchema, _ new: DatabaseSchema,
    virtual: [String: VirtualRows]
  ) {
    self.old = old
    self.new = new
    self.virtual = virtual
    changes = difference.schemaChanges
    touched = Set(difference.tables.map { SQLName.folded($0.table) })
    dropSecondary()
    remakeTables()
    for table in difference.tables { sort(table) }
    createSecondary()
    rebuildIndexes()
  }

  private mutating func sort(_ table: TableDifference) {
    let name = SQLName.folded(table.table)
    if let rows = virtual[name]?.table, table.notCompared == nil, !remade.contains(name) {
      rewritten.append((table, rows))
    }
    guard let shape = new.tables[name], !remade.contains(name) else { return }
    if table.keyedBy == .wholeRow || table.hasNullKey || table.notCompared != nil {
      before.append("DELETE FROM \(SQLName.quoted(shape.name));")
      rebuilt.append(shape)
    } else {
      let isUnique = new.entries.contains {
        $0.type == "index" && SQLName.folded($0.table) == name
          && ($0.sql == nil || SQLTokens($0.sql ?? "").contains("UNIQUE"))
      }
      let keyOnly = shape.rowidColumn != nil || shape.isWithoutRowid
      changed.append((table, shape, usesUpdates: !isUnique && keyOnly))
    }
  }

  /// Triggers must not fire; what was changed or removed goes.
  ///
  /// Tables are for later.
  private mutating func dropSecondary() {
    let gone = Set(
      changes.filter { $0.kind != .added }.map { $0.type + " " + SQLName.folded($0.name) })
    for type in ["trigger", "view", "index"] {
      for entry in old.entries where entry.type == type && entry.sql != nil {
        let isTrigger = type == "trigger"
        guard isTrigger || gone.contains(type + " " + SQLName.folded(entry.name)) else { continue }
        before.append("DROP \(type.uppercased()) \(SQLName.quoted(entry.name));")
      }
    }
  }

  private mutating func remakeTables() {
    for change in changes where change.type == "table" {
      let name = SQLName.folded(change.name)
      if let entry = unknown(name) {
        leftOut.append(entry)
        continue
      }
      if change.kind != .added {
        before.append("DROP TABLE \(SQLName.quoted(change.name));")
      }
      guard let sql = change.new else { continue }
      before.append(sql + ";")
      remade.insert(name)
      if let shape = new.tables[name] { rebuilt.append(shape) }
      if let rows = virtual[name]?.table { filled.append(rows) }
    }
  }

  private func unknown(_ name: String) -> SchemaEntry? {
    (new.entries + old.entries).first {
      SQLName.folded($0.name) == name && ModuleLayout.isUnknown($0)
    }
  }

  /// Full-text tables over the rows of another table learn what became of them: no trigger tells.
  private mutating func rebuildIndexes() {
    for entry in new.entries {
      guard let content = entry.contentTable.map(SQLName.folded),
        let source = new.entries.first(where: { SQLName.folded($0.name) == content })
      else { continue }
      let made = remade.union(touched)
      let isTouched = source.type == "view" ? !made.isEmpty : made.contains(content)
      guard isTouched || remade.contains(SQLName.folded(entry.name)),
        entry.hasColumns(in: source)
      else { continue }
      let name = SQLName.quoted(entry.name)
      after.append("INSERT INTO \(name)(\(name)) VALUES('rebuild');")
    }
  }

  private mutating func createSecondary() {
    let kept = Set(changes.map { $0.type + " " + SQLName.folded($0.name) })
    for type in ["index", "view", "trigger"] {
      for entry in new.entries where entry.type == type {
        guard let sql = entry.sql else { continue }
        let isNew = kept.contains(type + " " + SQLName.folded(entry.name))
        let lostItsTable = remade.contains(SQLName.folded(entry.table)) && type == "index"
        if isNew || lostItsTable || type == "trigger" { after.append(sql + ";") }
      }
    }
    for change in changes where change.type == "setting" {
      after.append("PRAGMA \(change.name)=\(change.new ?? "0");")
    }
  }
}

extension SchemaEntry {
  /// Whether a table has the columns that this full-text table indexes; without one of them SQLite cannot read it.
  fileprivate func hasColumns(in source: SchemaEntry) -> Bool {
    guard source.type == "table", let definition = source.sql.flatMap({ TableDefinition($0) })
    else { return true }
    return ModuleArgument.all(of: self).allSatisfy {
      $0.value != nil || definition.column(SQLName.folded($0.name)) != nil
    }
  }
}
