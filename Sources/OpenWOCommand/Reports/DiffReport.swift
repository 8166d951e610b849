import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The report of `diff`.
struct DiffReport: Report {
  let from: NamedState
  let to: NamedState
  let found: DifferenceReport

  var members: [JSONMember] {
    let members = Self.members(found)
    return [
      members[0], JSONMember("from", .object(from.members)), JSONMember("to", .object(to.members)),
    ] + members[1...]
  }

  /// The differences, without the names of the states.
  static func members(_ found: DifferenceReport) -> [JSONMember] {
    [
      JSONMember("equal", .bool(found.equal)),
      JSONMember("schemaChanges", .array(found.schemaChanges.map(json))),
      JSONMember("tables", .array(found.tables.map(json))),
    ]
  }

  private static func json(_ change: DifferenceReport.SchemaChange) -> JSONValue {
    .object([
      JSONMember("type", .string(change.type)), JSONMember("name", .string(change.name)),
      JSONMember("table", .string(change.table)), JSONMember("kind", .string(change.kind)),
      JSONMember("old", .text(change.old)), JSONMember("new", .text(change.new)),
    ])
  }

  private static func json(_ table: DifferenceReport.Table) -> JSONValue {
    .object([
      JSONMember("table", .string(table.table)), JSONMember("keyedBy", .string(table.keyedBy)),
      JSONMember("inserted", .count(table.inserted)), JSONMember("updated", .count(table.updated)),
      JSONMember("deleted", .count(table.deleted)),
      JSONMember("oldColumns", .texts(table.oldColumns)),
      JSONMember("newColumns", .texts(table.newColumns)),
      JSONMember("rows", .array(table.rows.map(Self.json))),
      JSONMember("notCompared", .text(table.notCompared)),
    ])
  }

  private static func json(_ row: DifferenceReport.Row) -> JSONValue {
    .object([
      JSONMember("kind", .string(row.kind)), JSONMember("key", row.key.json),
      JSONMember("old", row.old?.json ?? .null), JSONMember("new", row.new?.json ?? .null),
    ])
  }
}

/// The lines for people.
extension DiffReport {
  func lines(_ style: Style) -> [String] {
    guard !found.equal else {
      return ["\(from.label) and \(to.label) have the same tables and rows"]
    }
    let schema = found.schemaChanges.map {
      ("\($0.type) \(String(printable: $0.name.utf8))", $0.kind)
    }
    let tables = found.tables.map { (String(printable: $0.table.utf8), Self.summary($0)) }
    let summaries = LabelledRows.lines(schema + tables)
    var lines = ["from \(from.label) to \(to.label):"] + summaries.prefix(schema.count)
    for (summary, table) in zip(summaries.dropFirst(schema.count), found.tables) {
      lines.append(summary)
      lines += table.rows.map { "    " + Self.line($0, table, style) }
      let left = table.inserted + table.updated + table.deleted - table.rows.count
      if left > 0, !table.rows.isEmpty {
        lines.append("    and \(left) more; list more of them: --limit COUNT")
      }
    }
    return lines
  }

  private static func summary(_ table: DifferenceReport.Table) -> String {
    if let reason = table.notCompared {
      return "not compared: \(String(printable: reason.utf8))"
    }
    let counts = RowCounts(
      inserted: table.inserted, updated: table.updated, deleted: table.deleted
    ).text
    return switch table.keyedBy {
    case "rowid": "\(counts) (by rowid: it declares no key)"
    case "wholeRow": "\(counts) (by whole rows: they have no key in common)"
    default: counts
    }
  }

  private static func line(
    _ row: DifferenceReport.Row, _ table: DifferenceReport.Table, _ style: Style
  ) -> String {
    let key = table.keyedBy == "rowid" ? "rowid \(row.key.printable)" : row.key.printable
    let start = table.keyedBy == "rowid" ? "\(key): " : ""
    switch (row.old, row.new) {
    case (let old?, let new?):
      return "~ \(key): " + changes(zip(table.oldColumns, old), zip(table.newColumns, new))
    case (nil, let new?): return style.green("+ \(start)\(cells(zip(table.newColumns, new)))")
    case (let old?, nil): return style.red("- \(start)\(cells(zip(table.oldColumns, old)))")
    case (nil, nil): return key
    }
  }

  private static func cells(_ cells: Zip2Sequence<[String], [DataValue]>) -> String {
    cells.map { "\(String(printable: $0.utf8)) \($1.printable)" }.joined(separator: ", ")
  }

  /// The cells that differ; a column that only one side has is listed with its value there.
  private static func changes(
    _ old: Zip2Sequence<[String], [DataValue]>, _ new: Zip2Sequence<[String], [DataValue]>
  ) -> String {
    // By bytes: SQLite tells names in two Unicode forms apart.
    let before = Dictionary(
      old.map { (Array($0.utf8), $1) }, uniquingKeysWith: { first, _ in first })
    let names = Set(new.map { Array($0.0.utf8) })
    let lost = old.filter { !names.contains(Array($0.0.utf8)) }.map { name, value in
      "\(String(printable: name.utf8)) \(value.printable) → (no column)"
    }
    let changed = new.compactMap { name, value -> String? in
      let old = before[Array(name.utf8)]
      guard old != value else { return nil }
      let was = old?.printable ?? "(no column)"
      return "\(String(printable: name.utf8)) \(was) → \(value.printable)"
    }
    return (changed + lost).joined(separator: ", ")
  }
}
