import OpenWOSQLite

/// Makes sure that views and triggers of one side can do with the tables as the other side made them, unless they were of no use before.
///
/// SQLite looks at what they name only when they are used: a row could not be written any more then.
struct SchemaChecker {
  let plan: MergePlan
  let connection: Connection

  /// Views upon views can keep SQLite busy for long, each of them.
  private static let patience = Duration.seconds(2)

  func check() throws {
    let begun = ContinuousClock.now
    if plan.schema.created.isEmpty, plan.schema.dropped.isEmpty, plan.rebuilds.isEmpty { return }
    let named = try connection.cells(
      "SELECT DISTINCT tbl_name FROM main.sqlite_master WHERE type IN ('view', 'trigger') "
        + "ORDER BY tbl_name")
    for name in named.compactMap({ $0[0].string }) {
      guard ContinuousClock.now - begun < Self.patience else {
        throw MergeRefusal(name, "what views and triggers say is too much to be looked at")
      }
      let before = try MergeSide.allCases.map { plan.sides[$0] }.filter { side in
        try !side.cells(
          "SELECT 1 FROM main.sqlite_master WHERE name = ? COLLATE NOCASE", [.text(name)]
        ).isEmpty
      }.map { try faults(of: name, in: $0) }
      for (use, fault) in try faults(of: name, in: connection)
      where before.allSatisfy({ $0[use] == nil }) {
        throw MergeRefusal(name, "what one side made does not fit the other's tables: \(fault)")
      }
    }
  }

  /// SQLite's errors for reading and writing a table or view, by action; nothing is run.
  private func faults(
    of name: String, in database: Connection
  ) throws -> [String: String] {
    let table = "main." + SQLName.quoted(name)
    // A view that cannot be used has none.
    var columns: [[CellValue]] = []
    _ = try Self.fault {
      columns = try database.cells("PRAGMA main.table_xinfo(\(SQLName.quoted(name)))")
    }
    let settings = columns.filter { $0[6] == .integer(0) }
      .compactMap { $0[1].string.map(SQLName.quoted) }.map { "\($0) = \($0)" }
    var uses = ["select": "SELECT * FROM \(table)"]
    let triggers = try database.cells(
      "SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE "
        + "LIMIT 1", [.text(name)])
    if !triggers.isEmpty {
      uses["insert"] = "INSERT INTO \(table) DEFAULT VALUES"
      uses["update"] = "UPDATE \(table) SET \(settings.joined(separator: ", "))"
      uses["delete"] = "DELETE FROM \(table)"
    }
    return try uses.compactMapValues { use in
      try Self.fault { _ = try database.cells("EXPLAIN " + use) }
    }
  }

  private static func fault(_ body: () throws -> Void) throws -> String? {
    do {
      try body()
      return nil
    } catch let error as SQLiteError where !error.isPassing {
      return error.message
    }
  }
}
