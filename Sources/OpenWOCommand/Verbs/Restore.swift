import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo restore`.
struct RestoreVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring a version back.",
    usage: "[<database>] <version> [<options>]",
    details: """
      Makes the database what it was, as a new version on top: nothing of the history is lost,
      and the restore itself can be undone. With --table or --row only the rows of one table, or
      one row, become what they were; triggers do not fire.
      """,
    examples: [
      "openwo restore @~1", "openwo restore Training/openwo.sqlite 3f9c0a1b",
      "openwo restore '2h ago'", "openwo restore yesterday --table entry",
      "openwo restore diary.db @~3 --row entry 7",
    ]
  )

  @OptionGroup
  var words: VersionWords

  var database: String? { words.database }

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only the rows of this table.", valueName: "name"))
  var table: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Only one row: a table and the key of the row, a word for each column.",
      valueName: "row"))
  var row: [String] = []

  @OptionGroup
  var headOption: HeadOption

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    if words.version == nil, let table = row.first {
      throw StoreError.usage(
        "restore needs a VERSION before --row, which takes all words after it",
        hint: "write it like this: openwo restore @~1 --row \(FilePath(table).shellName) 7")
    }
    let store = try call.open()
    let wanted = try call.version(words, in: store)
    let database = try call.database()
    let head = try call.head(headOption, in: store)
    if let rows = try rows(call) {
      let isPlan = try call.isOn(dryRunOption.dryRun, "dry-run")
      let report = try call.withProgress("comparing") { _ in
        try store.restore(rows, from: wanted.id, dryRun: isPlan, ifHead: head)
      }
      return Outcome(
        report: RestoredRowsReport(
          database: database, rows: rows, report: report, isDone: !isPlan))
    }
    if try call.isOn(dryRunOption.dryRun, "dry-run") {
      let plan = try store.planRestore(of: wanted.id, ifHead: head)
      return Outcome(
        report: RestoredReport(
          database: database, restored: wanted.id, previous: plan.previous.id,
          wasLive: plan.isNothing))
    }
    try call.sayRoomNeeded("the restore, while it runs,")
    let report = try call.withProgress("restoring", reading: 9) { _ in
      try store.restore(wanted.id, ifHead: head)
    }
    return Outcome(
      report: RestoredReport(
        database: database, version: report.version, restored: wanted.id,
        previous: report.previous, wasLive: report.version == report.previous))
  }

  private func rows(_ call: Invocation) throws -> RowsRequest? {
    let row = try RowWords(row).row(call.verb)
    guard table.count + (row == nil ? 0 : 1) <= 1 else {
      throw StoreError.usage(
        "--table and --row are for one table or one row at a time; nothing was written",
        hint: "bring them back one after the other: openwo help restore")
    }
    return row ?? table.first.map { RowsRequest(table: $0) }
  }
}

extension Invocation {
  /// The version that has to be live; nil if it was not said.
  func head(_ option: HeadOption, in store: SyncedDatabase) throws -> VersionID? {
    try text(option.ifHead, "if-head").map { try store.version(toLookAt: $0).id }
  }

  /// The version that a word means; one that is only looked at is not published.
  func version(
    _ words: VersionWords, in store: SyncedDatabase, toLookAt: Bool = false
  ) throws -> Version {
    guard let word = words.version else {
      throw StoreError.usage(
        "\(verb) needs a VERSION", hint: "choose one: \(try database().command("history"))")
    }
    return try toLookAt
      ? store.version(toLookAt: word) : store.version(named: word, in: .machine)
  }
}

/// The report of `restore`.
struct RestoredReport: Report {
  let database: DatabaseArgument
  /// The new version on top; nil if it was only asked what would be done.
  var version: VersionID?
  let restored: VersionID
  let previous: VersionID
  /// Whether the version's content was live before.
  let wasLive: Bool

  var members: [JSONMember] {
    [
      JSONMember("version", .id(version)), JSONMember("restored", .id(restored)),
      JSONMember("previous", .id(previous)), JSONMember("dryRun", .bool(version == nil)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    if wasLive { return ["\(database.name) is version \(restored.short) already"] }
    guard let version else {
      return ["would restore version \(restored.short) of \(database.name)"]
    }
    return [
      "restored version \(restored.short) of \(database.name), as version \(version.short)",
      "undo: \(database.command("restore", previous.short))",
    ]
  }
}
