import OpenWO
import OpenWOHistory

/// The tools that look back.
extension Tool {
  static let history = Tool(
    name: "history", title: "Versions, or the life of one row",
    summary:
      "Lists the versions, newest first: when, which device, why. With table and key it says what "
      + "became of one row, version by version. Changes nothing." + dataRule,
    effect: .looks,
    parameters: [
      ToolParameter("table", .textKind, "The table of the row."), Self.keyParameter,
    ] + Page.parameters,
    output: [
      ToolParameter("versions", .listKind(.anyObjectKind)),
      ToolParameter("changes", .listKind(.anyObjectKind)), Page.output,
    ]
  ) { call in
    let store = try call.open()
    let entries = try store.history()
    let page = try Page(call, of: entries.first?.version.id.description ?? "none")
    guard let row = try call.row() else {
      let (part, next) = page.cut(entries)
      let report = HistoryReport(
        versions: part, summaries: try store.summaries(of: part.map(\.version.id)),
        quarantined: nil, database: try call.database())
      return report.members + [next]
    }
    call.progress.tell("looking through the versions")
    var history = try store.history(of: row)
    let (part, next) = page.cut(history.changes)
    history.changes = part
    let report = RowHistoryReport(
      row: row, history: history, limit: .max, database: try call.database())
    return report.members + [next]
  }

  static let keyParameter = ToolParameter(
    "key",
    .object([
      "type": .texts(["string", "number", "array"]), "items": .cellKind,
    ]), "The key of the row; a list if it has several columns.")

  static let diff = Tool(
    name: "diff", title: "What changed",
    summary:
      "Compares two states row by row: from the live version to the database as it is, unless "
      + "said otherwise. Rows have their old and new cells, in the order of oldColumns and "
      + "newColumns. Changes nothing." + dataRule,
    effect: .looks,
    parameters: [
      ToolParameter(
        "from", .textKind, "A version, a time, a conflicted copy, or live; else the live version."),
      ToolParameter("to", .textKind, "The same; else the database as it is."),
    ] + Page.parameters, output: RowPage.output + [Page.output]
  ) { call in
    let store = try call.open()
    let from = try call.state(call.arguments.text("from") ?? "@", in: store)
    let to = try call.state(call.arguments.text("to") ?? "live", in: store)
    let mark = try store.fingerprint(of: from).prefix(8) + store.fingerprint(of: to).prefix(8)
    let page = try Page(call, of: String(mark))
    let found = try store.diff(
      from: from.state, to: to.state, rows: .upTo(page.offset + page.limit),
      telling: { [progress = call.progress] _ in progress.tell("comparing a table") })
    let rows = RowPage(found, page.offset, page.limit)
    let report = DiffReport(from: from, to: to, found: rows.part)
    return report.members + [page.next(after: rows.count, isLast: rows.isLast)]
  }

  static let query = Tool(
    name: "query", title: "Query in SQL",
    summary:
      "Runs one SQL statement that only reads, on the database as it is or as it was. Give values "
      + "as params and never inside the SQL. Real numbers always have a fraction or an exponent, "
      + "and bytes come as {\"blob\": \"00FF\"}. Changes nothing." + dataRule,
    effect: .looks,
    parameters: [
      ToolParameter("sql", .textKind, "One SQL statement that only reads.").required,
      Self.paramsParameter, Self.atParameter,
      ToolParameter("timeout_seconds", .countKind, "30 unless said, up to 300."),
    ] + Page.parameters,
    output: [
      ToolParameter("columns", .listKind(.textKind)).required,
      ToolParameter("rows", .listKind(.listKind(.cellKind))).required,
      ToolParameter("isCutShort", .flagKind).required, Page.output,
    ]
  ) { call in
    let store = try call.open()
    let state = try call.state(call.arguments.text("at") ?? "live", in: store)
    let page = try Page(call, of: store.fingerprint(of: state))
    let seconds = try call.arguments.count("timeout_seconds", upTo: 300) ?? 30
    call.progress.tell("asking the database")
    let result = try store.query(
      call.arguments.text("sql") ?? "", try call.arguments.parameters("params"), at: state.state,
      .init(offset: page.offset, limit: page.limit, bytes: ToolCall.mostBytes),
      timeLimit: .seconds(seconds), until: call.stop)
    return QueryReport(state: state, result: result).members
      + [page.next(after: result.rows.count, isLast: !result.isCutShort)]
  }

  static let paramsParameter = ToolParameter(
    "params",
    .object(["type": .texts(["array", "object"])]),
    "Values for ? in order, or by name for :name.")
}

extension ToolCall {
  /// The row that is meant; nil for none.
  func row() throws -> RowsRequest? {
    guard let table = try arguments.text("table") else {
      guard try arguments.key("key") == nil else { throw arguments.wrong("table", "there") }
      return nil
    }
    guard let key = try arguments.key("key") else { throw arguments.wrong("key", "there") }
    return RowsRequest(table: table, key: key)
  }
}
