import OpenWOSQLite

/// Brings the ground's schema to that of the result, and keeps triggers from firing meanwhile.
struct SchemaWriter {
  let plan: MergePlan
  let connection: Connection

  private static let order = ["trigger", "view", "index", "table"]

  /// Drops all triggers; returns their texts.
  func dropTriggers() throws -> [String] {
    // Recreating a view would remove its triggers, too.
    guard
      !plan.schema.dropped.isEmpty || !plan.rebuilds.isEmpty || plan.writesRows
    else { return [] }
    let gone = Set(plan.schema.dropped.filter { $0.type == "trigger" }.map(\.name))
    let triggers = try connection.cells(
      "SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger' ORDER BY rowid")
    var texts: [String] = []
    for trigger in triggers {
      guard let name = trigger[0].string, let text = trigger[1].string else { continue }
      if gone.contains(name) { continue }
      try connection.run("DROP TRIGGER main.\(SQLName.quoted(name))")
      texts.append(text)
    }
    return texts
  }

  /// The schema changes before rows are written.
  func before() throws {
    let dropped = plan.schema.dropped.sorted {
      (Self.order.firstIndex(of: $0.type) ?? 0) < (Self.order.firstIndex(of: $1.type) ?? 0)
    }
    for entry in dropped {
      try connection.run(
        "DROP \(entry.type.uppercased()) IF EXISTS main.\(SQLName.quoted(entry.name))")
    }
    try create { $0 == "table" }
  }

  /// The schema changes after rows were written.
  func after(_ triggers: [String]) throws {
    try createAgain()
    try create { $0 == "index" }
    try create { $0 == "view" }
    for text in triggers { try connection.run(text) }
    try create { $0 == "trigger" }
    for (name, value) in plan.schema.settings.sorted(by: { $0.key < $1.key }) {
      try connection.run("PRAGMA main.\(name) = \(value)")
    }
  }

  /// Raises the count of schema changes above that of each side if a table without a key may have
  /// other rowids in one of them.
  ///
  /// So the next merge does not match rowids of the result with those of that side.
  func raiseCookie() throws {
    let isKeyless = plan.tables.values.contains { table in
      [.rowid(isDeclared: false), .wholeRow].contains(table.shape.identity)
    }
    guard isKeyless, Set(plan.cookies).count > 1 || plan.distrustsNumbers,
      let highest = plan.cookies.max(),
      highest < Int32.max
    else { return }
    try connection.run("PRAGMA main.schema_version = \(highest + 1)")
  }

  /// Makes the ground's own indexes of tables that were made again.
  private func createAgain() throws {
    let gone = Set(plan.schema.dropped.map(\.name))
    for (_, rebuild) in plan.rebuilds.sorted(by: { $0.key < $1.key }) {
      let indexes = try plan.sides[plan.ground].cells(
        "SELECT name, sql FROM main.sqlite_master WHERE type = 'index' AND sql NOTNULL "
          + "AND tbl_name = ? COLLATE NOCASE ORDER BY rowid", [.text(rebuild.ground.name)])
      for index in indexes {
        guard let name = index[0].string, let sql = index[1].string, !gone.contains(name) else {
          continue
        }
        try create("index", name, rebuild.ground.name, sql)
      }
    }
  }

  private func create(_ isWanted: (String) -> Bool) throws {
    for entry in plan.schema.created where isWanted(entry.type) {
      if let sql = entry.sql { try create(entry.type, entry.name, entry.table, sql) }
    }
  }

  private func create(_ type: String, _ name: String, _ table: String, _ sql: String) throws {
    do { try connection.run(sql) } catch let error as SQLiteError where !error.isPassing {
      throw try IndexClash(plan: plan, connection: connection).refusal(name, table, sql)
        ?? MergeRefusal(table, "\(type) \(name): \(error.message)")
    }
  }
}
