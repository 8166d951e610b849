import OpenWO
import OpenWOFiles
import OpenWOHistory

/// The report of `merge`.
struct MergedReport: Report {
  let database: DatabaseArgument
  /// The name of the other side; nil if nothing waited.
  let source: String?
  let result: MergeResult?
  var isDone = true

  /// More lines of one table than a person reads.
  private static var mostLines: Int { 20 }

  var members: [JSONMember] {
    [
      JSONMember("version", .id(result?.version)), JSONMember("base", .id(result?.base)),
      JSONMember("previous", .id(result?.previous)), JSONMember("theirs", .id(result?.theirs)),
      JSONMember("tables", .array((result?.tables ?? []).map(Self.json))),
      JSONMember("undeclared", .array((result?.undeclared ?? []).map(Self.json))),
      JSONMember("conflicts", .array((result?.conflicts ?? []).map(\.json))),
      JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  private static func json(_ table: MergeResult.Table) -> JSONValue {
    .object([
      JSONMember("table", .string(table.table)), JSONMember("fromOurs", .count(table.fromOurs)),
      JSONMember("fromTheirs", .count(table.fromTheirs)),
      JSONMember("converged", .count(table.converged)),
      JSONMember("same", .array(table.same.map(\.json))),
      JSONMember("together", .array(table.together.map(json))),
      JSONMember("decided", .array(table.decided.map(json))),
      JSONMember("renumbered", .array(table.renumbered.map(json))),
      JSONMember(
        "unlisted",
        .object([
          JSONMember("same", .count(table.unlisted?.same ?? 0)),
          JSONMember("together", .count(table.unlisted?.together ?? 0)),
          JSONMember("decided", .count(table.unlisted?.decided ?? 0)),
          JSONMember("renumbered", .count(table.unlisted?.renumbered ?? 0)),
        ])),
    ])
  }

  private static func json(_ column: MergeResult.UndeclaredReference) -> JSONValue {
    .object([
      JSONMember("table", .string(column.table)), JSONMember("column", .string(column.column)),
      JSONMember("parent", .string(column.parent)),
    ])
  }

  private static func json(_ decision: MergeResult.Decision) -> JSONValue {
    .object([
      JSONMember("key", decision.key.json), JSONMember("conflict", .string(decision.conflict)),
      JSONMember("columns", .texts(decision.columns)),
      JSONMember("winner", .string(decision.winner.rawValue)),
      JSONMember("reason", .string(decision.reason)),
      JSONMember("decidedBy", .text(decision.decidedBy)),
      JSONMember(
        "lost",
        .array(
          decision.lost.map {
            .object([JSONMember("column", .string($0.column)), JSONMember("value", $0.value.json)])
          })),
    ])
  }

  private static func json(_ row: MergeResult.JoinedRow) -> JSONValue {
    .object([
      JSONMember("key", row.key.json), JSONMember("ours", .texts(row.ours)),
      JSONMember("theirs", .texts(row.theirs)),
    ])
  }

  private static func json(_ row: MergeResult.Renumbering) -> JSONValue {
    .object([
      JSONMember("side", .string(row.side.rawValue)), JSONMember("from", row.from.json),
      JSONMember("to", row.to.json), JSONMember("isSameRow", .bool(row.isSameRow)),
    ])
  }
}

/// The lines for people: our side is "here", the other one "there".
extension MergedReport {
  func lines(_ style: Style) -> [String] {
    guard let source, let result else {
      return ["nothing waits to be merged into \(database.name)"]
    }
    guard result.version != nil || !isDone || !result.tables.isEmpty else {
      return ["all of \(source) is in \(database.name) already"]
    }
    let summaries = LabelledRows.lines(
      result.tables.map { (String(printable: $0.table.utf8), Self.summary($0)) })
    var lines = [headline(source, result)]
    for (summary, table) in zip(summaries, result.tables) {
      let details =
        table.renumbered.map(Self.line) + table.decided.map(Self.line)
        + table.same.map { "row \($0.printable) was made alike on both sides and is one row" }
      lines.append(summary)
      lines += details.prefix(Self.mostLines).map { "    \($0)" }
      lines += rest(of: table, more: details.count - Self.mostLines, result)
    }
    lines += result.undeclared.map(Self.line)
    let isToChoose = result.tables.contains {
      $0.decided.contains { $0.conflict != "deleteAgainstReference" }
    }
    if !isDone, isToChoose {
      lines.append("to choose the sides yourself: openwo help merge")
    }
    if result.version != nil {
      lines.append("undo: \(database.command("restore", result.previous.short))")
    }
    return lines
  }

  /// What is said of rows that no line is about.
  private func rest(
    of table: MergeResult.Table, more: Int, _ result: MergeResult
  ) -> [String] {
    let unlisted = table.unlisted?.decided ?? 0
    guard unlisted > 0 else {
      let others = (table.unlisted?.same ?? 0) + (table.unlisted?.renumbered ?? 0)
      if others > 0 {
        return ["    and \(max(0, more) + others) more, the first of them with --json"]
      }
      return more > 0 ? ["    and \(more) more, all of them with --json"] : []
    }
    let theirs = result.version == nil ? source ?? "" : result.theirs.short
    let diff = database.command("diff", result.previous.short, theirs, "--rows")
    return [
      "    and \(max(0, more) + unlisted) more, \(table.decided.count) conflicts with --json, both "
        + "sides of all rows with: \(diff)"
    ]
  }

  private func headline(_ source: String, _ result: MergeResult) -> String {
    let base = result.base == nil ? ", with nothing in common" : ""
    guard let version = result.version else {
      if isDone { return "all of \(source) is in \(database.name) already:" }
      return "would merge \(source) into \(database.name)\(base):"
    }
    return "merged \(source) into \(database.name)\(base), as version \(version.short)"
  }

  private static func summary(_ table: MergeResult.Table) -> String {
    let clock =
      table.decided.count { ["column", "versionTime"].contains($0.reason) }
      + (table.unlisted?.byClock ?? 0)
    let chosen =
      table.decided.count { $0.reason == "chosen" } + (table.unlisted?.byChoice ?? 0)
    let parts = [
      (table.fromOurs, "from here"), (table.fromTheirs, "from there"),
      (table.converged, "from both"), (table.renumberedCount, "renumbered"),
      (clock, "decided by the clock"), (chosen, "as you chose"),
      (table.decidedCount - clock - chosen, "decided by a rule"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static func line(_ row: MergeResult.Renumbering) -> String {
    let side = name(row.side)
    guard row.isSameRow else {
      return "row \(row.from.printable) from \(side) is now \(row.to.printable)"
    }
    return "row \(row.from.printable) from \(side) is the same as \(row.to.printable)"
  }

  private static func line(_ column: MergeResult.UndeclaredReference) -> String {
    let name = String(printable: "\(column.table).\(column.column)".utf8)
    let parent = String(printable: column.parent.utf8)
    return "warning: \(name) seems to point to \(parent), and no FOREIGN KEY says so: "
      + "it did not follow the renumbered rows"
  }

  private static func line(_ decision: MergeResult.Decision) -> String {
    let columns = decision.columns.map { String(printable: $0.utf8) }.joined(separator: ", ")
    let what =
      columns.isEmpty
      ? "row \(decision.key.printable)" : "\(columns) of row \(decision.key.printable)"
    let winner = name(decision.winner)
    switch decision.conflict {
    case "cell": return "\(what) is as \(winner), \(reason(decision))"
    case "deleteAgainstUpdate":
      return "\(what), changed on one side and removed on the other, is as \(winner), "
        + reason(decision)
    case "deleteAgainstReference":
      return "\(what), removed on one side, is kept: a row points at it"
    case "deleteAgainstUnion": return "\(what), removed on one side, is kept by the table's rule"
    default: return "\(what) is as \(winner), or a constraint would be broken"
    }
  }

  private static func reason(_ decision: MergeResult.Decision) -> String {
    switch decision.reason {
    case "column": "the later by \(String(printable: (decision.decidedBy ?? "").utf8))"
    case "versionTime": "the later writer"
    case "rule": "by the rule \(decision.decidedBy ?? "")"
    case "chosen": "as you chose"
    case "fillsColumn": "the other only filled a new column"
    default: "so that nothing written is lost"
    }
  }

  private static func name(_ side: MergeResult.Side) -> String {
    switch side {
    case .ours: "here"
    case .theirs: "there"
    }
  }
}
