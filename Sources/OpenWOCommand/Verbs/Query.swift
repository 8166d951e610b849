import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo query`.
struct QueryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Ask the database, or a version of it, in SQL.",
    usage: "[<database>] <sql> [<options>]",
    details: """
      Runs one SQL statement that only reads, on the database as it is or as it was. It can
      change nothing, and it works while somebody holds the lock: then it is the state from
      before. Prints 1000 rows at most unless --limit says otherwise. A query that takes longer
      than 30 seconds, or than --timeout, ends with 124.
      """,
    examples: [
      "openwo query 'SELECT count(*) FROM entry'",
      "openwo query diary.db --at yesterday 'SELECT * FROM entry WHERE id = 3'",
      "openwo query diary.db --csv 'SELECT day, weight FROM entry' > weight.csv",
    ]
  )

  @OptionGroup
  var words: QueryWords

  var database: String? { words.sorted.database }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Ask this state: a version, a conflicted copy or another SQLite file.",
      valueName: "version"), completion: .states)
  var at: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print so many rows at most; 1000 unless said.", valueName: "count"))
  var limit: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Give up after this time; 30s unless said.", valueName: "time"))
  var timeout: Span?

  @Flag(help: "Print comma-separated values.")
  var csv = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    guard let sql = words.sorted.states.first else {
      throw StoreError.usage(
        "query needs an SQL statement", hint: "see how it is called: openwo help query")
    }
    let isCSV = try call.isOn(csv, "csv")
    guard !isCSV || !call.isJSON else {
      throw StoreError.usage(
        "--csv leaves no room for --json", hint: "ask for one of them: openwo query --csv SQL")
    }
    let limit = try call.count(limit, "limit") ?? 1000
    let time = try call.duration(timeout, "timeout") ?? .seconds(30)
    let store = try call.open()
    let state = try call.text(at, "at").map { try call.state($0, of: store) } ?? call.liveState()
    let result = try store.query(sql, at: state.state, limit: limit, timeLimit: time)
    if result.isCutShort, !call.isJSON, !call.isQuiet {
      call.console.remark(
        "openwo: note: there are more rows than \(limit); print more of them: --limit COUNT")
    }
    guard isCSV else { return Outcome(report: QueryReport(state: state, result: result)) }
    try call.console.write(Array(CSVText.document(result.columns, result.rows).utf8))
    return Outcome()
  }
}

/// `[DATABASE] SQL`.
struct QueryWords: ParsableArguments {
  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(help: "One SQL statement that only reads.")
  var sql: String?

  var sorted: SortedWords { SortedWords([database, sql].compactMap(\.self), states: 1) }
}

/// The report of `query`.
struct QueryReport: Report {
  let state: NamedState
  let result: SyncedDatabase.QueryResult

  var members: [JSONMember] {
    [
      JSONMember("at", .object(state.members)), JSONMember("columns", .texts(result.columns)),
      JSONMember("rows", .array(result.rows.map(\.json))),
      JSONMember("isCutShort", .bool(result.isCutShort)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    if result.columns.isEmpty { return [] }
    let numbers = result.columns.indices.filter { column in
      result.rows.allSatisfy { $0[column].isNumber }
    }
    var table = Table(
      result.columns.map { String(printable: $0.utf8) }, numbers: Set(numbers))
    for row in result.rows { table.add(row.map(\.bare)) }
    var lines = table.lines(style)
    lines[0] = style.bold(lines[0])
    return lines
  }
}

extension DataValue {
  /// Whether it is aligned to the right of its column.
  fileprivate var isNumber: Bool {
    switch self {
    case .null, .integer, .real: true
    case .text, .invalidText, .blob: false
    }
  }

  /// The value in a table of values: text without quotation marks, and whole.
  fileprivate var bare: String {
    if case .text(let text) = self { String(printable: text.utf8) } else { printable }
  }
}
