import OpenWOSQLite

/// Writes a plan into a copy of the ground, in one transaction.
struct MergeWriter {
  let plan: MergePlan
  let connection: Connection
  private let rows: WrittenRows

  init(_ plan: MergePlan, _ connection: Connection) {
    self.plan = plan
    self.connection = connection
    rows = WrittenRows()
  }

  /// Writes; returns decisions that only writing brought about, by folded table name.
  func write() throws -> [String: WrittenRows.Decisions] {
    let enforced = try connection.cells("PRAGMA foreign_keys").first?.first ?? .integer(0)
    // Off, or deleting a row would take with it others that the plan keeps.
    try connection.run("PRAGMA foreign_keys = OFF")
    // A private copy may be written before the end: very many rows need not wait in memory.
    try connection.run("PRAGMA cache_spill = 8192")
    // Or a table could not be put aside under another name without those that point to it.
    try connection.run("PRAGMA legacy_alter_table = ON")
    defer {
      try? connection.run("PRAGMA cache_spill = OFF")
      try? connection.run("PRAGMA legacy_alter_table = OFF")
      if enforced == .integer(1) { try? connection.run("PRAGMA foreign_keys = ON") }
    }
    try connection.transaction(.immediate) {
      let schema = SchemaWriter(plan: plan, connection: connection)
      let triggers = try schema.dropTriggers()
      try schema.before()
      try writeRows()
      try schema.after(triggers)
      try SchemaChecker(plan: plan, connection: connection).check()
      try schema.raiseCookie()
      try setCounters()
      try VirtualTableWriter(plan: plan, connection: connection).write()
      try ReferenceChecker(plan: plan, connection: connection).check()
    }
    return rows.decisions
  }

  private func writeRows() throws {
    for name in plan.order {
      guard let table = plan.tables[name] else { continue }
      if let rebuild = plan.rebuilds[name] {
        try remake(name, rebuild)
      } else {
        try takeOut(name, table)
      }
    }
    for name in plan.order {
      guard let table = plan.tables[name] else { continue }
      let writer = RowWriter(connection: connection, shape: table.shape)
      var plain = try PlainWrites(of: table, plan.planners[name], plan.clock)
      for operation in plan.operations[name] ?? [] where operation.new != nil {
        if let place = operation.place { try put(&plain, upTo: place, table, writer) }
        try put(operation, table, writer)
      }
      try put(&plain, upTo: nil, table, writer)
    }
  }

  /// Writes the plain rows up to a place, or all: rows come in one order, however many there are.
  private func put(
    _ plain: inout PlainWrites, upTo place: RowPlace?, _ table: TableMerge, _ writer: RowWriter
  ) throws {
    while let operation = try plain.next(upTo: place) {
      try put(operation, table, writer)
    }
  }

  private func takeOut(_ name: String, _ table: TableMerge) throws {
    let writer = RowWriter(connection: connection, shape: table.shape)
    for operation in plan.operations[name] ?? [] { try takeOut(operation, writer) }
    guard let rows = table.plain,
      rows.mayGiveWay || !rows.renumbered.isEmpty || !rows.moves.ours.isEmpty
        || !rows.moves.theirs.isEmpty
    else { return }
    var plain = try PlainWrites(of: table, plan.planners[name], plan.clock)
    while let operation = try plain.next() { try takeOut(operation, writer) }
  }

  private func takeOut(_ operation: RowOperation, _ writer: RowWriter) throws {
    guard let old = operation.old else { return }
    switch operation.kind {
    case .delete: try writer.delete(old)
    case .replace:
      if let new = operation.new, new.cells.contains(nil) {
        rows.completed[old] = try writer.complete(new, from: old)
      }
      try writer.delete(old)
    default: break
    }
  }

  /// Gives a table its new definition; only rows that stay as they are go over.
  private func remake(_ name: String, _ rebuild: TableRebuild) throws {
    try rebuild.putAside(connection)
    let writer = rebuild.old(connection)
    for operation in plan.operations[name] ?? [] {
      guard let old = operation.old else { continue }
      if let new = operation.new, new.cells.contains(nil) {
        rows.completed[old] = try rebuild.complete(new, from: old, connection)
      }
      try writer.delete(rebuild.oldRow(old))
    }
    try rebuild.make(connection)
  }

  private func put(
    _ operation: RowOperation, _ table: TableMerge, _ writer: RowWriter
  ) throws {
    guard let new = operation.new else { return }
    do {
      try put(operation, new, writer)
    } catch let error as SQLiteError where error.code == .constraint {
      if let fallback = operation.fallback, fallback != new {
        do {
          rows.note(table, try put(operation, fallback, writer), operation.changes, plan)
          return
        } catch let second as SQLiteError where second.code == .constraint {}
      }
      throw try IndexClash(plan: plan, connection: connection)
        .refusal(new, table, error.message)
    } catch let error as SQLiteError where error.code == .error {
      // An index over an expression cannot hold the row.
      throw try IndexClash(plan: plan, connection: connection)
        .refusal(new, table, error.message)
    }
  }

  @discardableResult private func put(
    _ operation: RowOperation, _ new: MergeRow, _ writer: RowWriter
  ) throws -> MergeRow {
    switch (operation.kind, operation.old) {
    case (.update, let old?):
      let changed = new.cells.indices.filter {
        new.cells[$0] != nil && new.cells[$0] != old.cells[$0]
      }
      if !changed.isEmpty { try writer.update(old, to: new, columns: changed) }
      return new
    case (.replace, let old?):
      var row = new
      if new.cells.contains(nil), let whole = rows.completed[old] {
        for index in row.cells.indices where row.cells[index] == nil {
          row.cells[index] = whole.cells[index]
        }
      }
      try writer.insert(row)
      return row
    default:
      try writer.insert(new)
      return new
    }
  }

  private func setCounters() throws {
    for (name, value) in plan.counters where value > 0 {
      guard let table = plan.tables[name]?.shape.name else { continue }
      let arguments: [CellValue] = [.integer(value), .text(table)]
      let found = try connection.cells(
        "SELECT seq FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
      if found.isEmpty {
        try connection.run(
          "INSERT INTO main.sqlite_sequence(seq, name) VALUES (?, ?)", arguments)
      } else if found[0][0].int ?? 0 < value {
        try connection.run("UPDATE main.sqlite_sequence SET seq = ? WHERE name = ?", arguments)
      }
    }
  }
}
