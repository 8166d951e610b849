import OpenWO
import OpenWOHistory
import OpenWOShell

/// The tools that bring back and bring together.
extension Tool {
  private static let dryRunParameter = ToolParameter(
    "dry_run", .flagKind, "Only say what would be done.")
  private static let headParameter = ToolParameter(
    "if_head", .textKind, "Refuse if another version is live.")
  private static let limitParameter = ToolParameter(
    "limit", .countKind, "How many of the changed rows the answer has at most.")
  private static let doneOutput = [
    ToolParameter("version", .textOrNothingKind, "The new version; null if nothing was done.")
      .required, ToolParameter("dryRun", .flagKind).required,
  ]

  static let undo = Tool(
    name: "undo", title: "Take an edit back",
    summary:
      "Makes the database what it was before an edit, as a new version on top. Without an id it "
      + "takes back what this device did last. Refused if there are newer versions; then "
      + "restore brings back single rows. With dry_run it only says which rows would differ."
      + dataRule,
    effect: .changes(isIdempotent: true),
    parameters: [
      ToolParameter("id", .textKind, "What edit gave as undo, or another version's id."),
      headParameter, dryRunParameter, limitParameter,
    ],
    output: doneOutput + [
      ToolParameter("undone", .textOrNothingKind).required,
      ToolParameter("restored", .textOrNothingKind).required,
      ToolParameter("isCutShort", .flagKind).required,
    ] + RowPage.output
  ) { call in
    let store = try call.open()
    let isDryRun = try call.arguments.flag("dry_run")
    if !isDryRun { _ = try store.reconcile() }
    let database = try call.database()
    let head = try call.head(in: store)
    let (last, before) = try call.undoable(in: store, database)
    let rows = try call.difference(from: last.id, to: before.id, in: store)
    var report = UndoneReport(database: database, last: last, before: before.id)
    let isDone = try store.history().first(where: \.isLive)?.version.content == before.content
    if isDryRun || isDone {
      _ = try store.planRestore(of: before.id, ifHead: head)
    } else {
      call.progress.tell("taking it back")
      report.version = try store.restore(before.id, ifHead: head ?? last.id).version
    }
    return report.members(isDryRun: isDryRun)
      + [JSONMember("isCutShort", .bool(!rows.isLast))] + DiffReport.members(rows.part)
  }

  static let restore = Tool(
    name: "restore", title: "Bring a version, a table or a row back",
    summary:
      "Makes the database what it was in a version, as a new version on top; with table, or table "
      + "and key, only those rows. The answer's previous can be restored to undo it. With dry_run "
      + "it changes nothing and says which rows would differ." + dataRule,
    effect: .changes(isIdempotent: true),
    parameters: [
      ToolParameter("version", .textKind, "A version's id, @~1, or a time.").required,
      ToolParameter("table", .textKind, "Only the rows of this table."), keyParameter,
      headParameter, dryRunParameter, limitParameter,
    ],
    output: doneOutput + [
      ToolParameter("isCutShort", .flagKind), ToolParameter("tables", .listKind(.anyObjectKind)),
      ToolParameter("restored", .textKind).required,
      ToolParameter("previous", .textOrNothingKind, "Restore it to undo this.").required,
    ]
  ) { call in
    let store = try call.open()
    let isDryRun = try call.arguments.flag("dry_run")
    let head = try call.head(in: store)
    let word = try call.arguments.text("version") ?? "@"
    let wanted =
      isDryRun
      ? try store.version(toLookAt: word)
      : try store.version(named: word, in: .machine)
    let database = try call.database()
    call.progress.tell("bringing it back")
    if let table = try call.arguments.text("table") {
      let rows = RowsRequest(table: table, key: try call.arguments.key("key"))
      let report = try store.restore(rows, from: wanted.id, dryRun: isDryRun, ifHead: head)
      return RestoredRowsReport(
        database: database, rows: rows, report: report, isDone: !isDryRun
      ).members
    }
    guard try call.arguments.key("key") == nil else { throw call.arguments.wrong("table", "there") }
    let limit = try call.limit()
    let rows = RowPage(
      try store.diff(from: .live, to: .version(wanted.id), rows: .upTo(limit)), 0, limit)
    let changes =
      [JSONMember("isCutShort", .bool(!rows.isLast))] + DiffReport.members(rows.part)
    if isDryRun {
      let plan = try store.planRestore(of: wanted.id, ifHead: head)
      return RestoredReport(
        database: database, restored: wanted.id, previous: plan.previous.id,
        wasLive: plan.isNothing
      ).members + changes
    }
    let report = try store.restore(wanted.id, ifHead: head)
    return RestoredReport(
      database: database, version: report.version, restored: wanted.id, previous: report.previous,
      wasLive: report.version == report.previous
    ).members + changes
  }

  static let merge = Tool(
    name: "merge", title: "Bring two sides together",
    summary:
      "Merges a conflicted copy or a version into the database, row by row: what one side changed "
      + "is taken, rows of both are kept, and where both wrote into one cell the later writer "
      + "decides unless a rule says otherwise. With dry_run it changes nothing." + dataRule,
    effect: .changes(isIdempotent: true),
    parameters: [
      ToolParameter(
        "source", .textKind, "A conflicted copy or a version; else the only one that waits."),
      ToolParameter(
        "rule", .object(["type": .string("string"), "enum": .texts(wholeRules)]),
        "How rows that both sides changed are decided."),
      ToolParameter("rules", .anyObjectKind, "Rules for single tables, by their names."),
      ToolParameter(
        "allow_empty_base", .flagKind, "Merge two that have nothing in common: keep all rows."),
      headParameter, dryRunParameter,
    ],
    output: doneOutput + [ToolParameter("tables", .listKind(.anyObjectKind)).required]
  ) { call in
    let store = try call.open()
    let isDryRun = try call.arguments.flag("dry_run")
    let request = MergeRequest(
      dryRun: isDryRun, rule: try call.rule(), rules: try call.rules(),
      allowsEmptyBase: try call.arguments.flag("allow_empty_base"), ifHead: try call.head(in: store)
    )
    let database = try call.database()
    let word = try call.arguments.text("source")
    let other =
      try word.map { try call.state($0, in: store) } ?? call.store.call.otherSide(nil, of: store)
    guard let other, let source = other.source else {
      return MergedReport(database: database, source: nil, result: nil, isDone: !isDryRun).members
    }
    call.progress.tell("merging")
    let result = try store.merge(source, request)
    return MergedReport(
      database: database, source: other.label, result: result, isDone: !isDryRun
    ).members
  }

  private static let wholeRules = MergeRule.allCases.filter { $0 != .singleton }.map(\.rawValue)
}

extension ToolCall {
  /// The version to take back, and the one before it.
  fileprivate func undoable(
    in store: SyncedDatabase, _ database: DatabaseArgument
  ) throws -> (last: Version, before: Version) {
    guard let word = try arguments.text("id") else { return try store.lastOwnChange(database) }
    let id = try version(word, in: store)
    let entries = try store.history()
    let last = entries.first { $0.version.id == id }?.version
    guard let last, let before = try store.origin(of: last, among: entries.map(\.version))
    else {
      throw StoreError(
        .noSuchVersion, "version \(id.short) is the first one that is kept; nothing was changed",
        hint: "see all versions with history")
    }
    return (last, before)
  }

  /// The rows that differ between two versions.
  fileprivate func difference(
    from old: VersionID, to new: VersionID, in store: SyncedDatabase
  ) throws -> RowPage {
    let limit = try limit()
    return RowPage(
      try store.diff(from: .version(old), to: .version(new), rows: .upTo(limit)), 0, limit)
  }

  fileprivate func rule() throws -> MergeRule? {
    try arguments.text("rule").map { word in
      guard let rule = MergeRule(rawValue: word), rule != .singleton else {
        throw arguments.wrong("rule", "a rule for all tables")
      }
      return rule
    }
  }

  fileprivate func rules() throws -> [String: MergeRule] {
    var rules: [String: MergeRule] = [:]
    for member in try arguments.members("rules") ?? [] {
      guard let rule = member.value.asText.flatMap(MergeRule.init(rawValue:)) else {
        throw arguments.wrong("rules", "an object of rules by table")
      }
      rules[member.name] = rule
    }
    return rules
  }
}
