import OpenWO
import OpenWOHistory
import OpenWOSQLite

/// The tools that try and make an edit.
extension Tool {
  private static let editParameters = [
    ToolParameter(
      "statements",
      .object([
        "type": .string("array"), "minItems": .integer(1), "maxItems": .integer(1000),
        "items": .objectKind([
          ToolParameter("sql", .textKind, "One SQL statement.").required, paramsParameter,
        ]),
      ]),
      "SQL statements that change rows, all of them or none. Give values as params."
    ).required,
    ToolParameter(
      "if_head", .textKind,
      "Refuse if another version is live: the head that preview_edit or status gave."),
    ToolParameter(
      "max_rows", .countKind, "Refuse if more rows would differ; \(usualMostRows) unless said."),
    ToolParameter(
      "allow_schema_changes", .flagKind,
      "Let statements make, change and remove tables; the app may not know them."),
    ToolParameter(
      "limit", .countKind, "How many of the changed rows the answer has at most."),
  ]
  private static let usualMostRows = 1000

  private static let editOutput =
    [
      ToolParameter("head", .textOrNothingKind, "The version that the edit starts from.").required,
      ToolParameter("changedRows", .object(["type": .texts(["integer", "null"])])).required,
      ToolParameter("written", .listKind(.countKind)).required,
      ToolParameter("isCutShort", .flagKind, "Whether rows are left out here.").required,
    ] + RowPage.output

  static let previewEdit = Tool(
    name: "preview_edit", title: "Try an edit",
    summary:
      "Runs the statements on a private copy and says which rows would differ, with their old and "
      + "new cells. The database is not touched. Give the head of the answer to edit as if_head."
      + dataRule,
    effect: .looks, parameters: editParameters, output: editOutput
  ) { call in
    let store = try call.open()
    call.progress.tell("trying the edit on a copy")
    let report = try store.previewEdit(call.editRequest(in: store), until: call.stop)
    return try call.members(report)
  }

  static let edit = Tool(
    name: "edit", title: "Edit rows",
    summary:
      "Takes the lock, runs the statements as one transaction, keeps it as one version, and ends "
      + "the lock. Answers with the rows that differ and with undo, an id that the tool undo takes "
      + "back. Refused while somebody else has the lock; the error says who. Use preview_edit "
      + "first." + dataRule,
    effect: .changes(isIdempotent: false),
    parameters: editParameters + [
      ToolParameter("note", .textKind, "Why, for people who read the history.")
    ],
    output: [
      ToolParameter(
        "version", .textOrNothingKind, "The version with the edit; null if no row differs."
      )
      .required,
      ToolParameter("undo", .textOrNothingKind, "Give it to undo to take the edit back.").required,
    ] + editOutput
  ) { call in
    let store = try call.open()
    var request = try call.editRequest(in: store)
    request.note = try call.arguments.text("note") ?? "by an assistant"
    call.progress.tell("editing under the lock")
    let report = try store.edit(request, until: call.stop)
    return [
      JSONMember("version", .id(report.version)), JSONMember("undo", .id(report.version)),
    ] + (try call.members(report))
  }
}

extension ToolCall {
  fileprivate func editRequest(in store: SyncedDatabase) throws -> EditRequest {
    let statements = try (arguments.list("statements") ?? []).map { item in
      guard let sql = item["sql"]?.asText else {
        throw arguments.wrong("statements", "a list of objects with sql and params")
      }
      return EditRequest.Statement(
        sql, try Arguments(item.value("params"), called: "params", of: "a statement"))
    }
    guard (1...1000).contains(statements.count) else {
      throw arguments.wrong("statements", "a list of 1 to 1000 statements")
    }
    var request = EditRequest(statements, program: Self.program)
    request.ifHead = try head(in: store)
    request.mostRows =
      try arguments.count("max_rows", upTo: 10_000_000) ?? request.mostRows
    request.allowsLayout = try arguments.flag("allow_schema_changes")
    request.rows = .upTo(try limit())
    return request
  }

  fileprivate func members(_ report: EditReport) throws -> [JSONMember] {
    let rows = RowPage(report.difference, 0, try limit())
    return [
      JSONMember("head", .id(report.previous)),
      JSONMember("changedRows", report.difference.changedRows.map { .count($0) } ?? .null),
      JSONMember("written", .array(report.written.map { .count($0) })),
      JSONMember("isCutShort", .bool(!rows.isLast)),
    ] + DiffReport.members(rows.part)
  }
}
