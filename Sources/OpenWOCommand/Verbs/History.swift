import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo history`.
struct HistoryVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the versions, newest first.",
    details: """
      The version that is live is marked with *. Wherever a VERSION is asked for, the beginning
      of its id will do, or @ for the live one, @~2 for two before, or a time: as it is
      printed here, '2h ago', '3 days ago', 'last tuesday'. With --row only the versions in
      which one row is another one than before are listed, with its values. With --pin a version
      gets a name: it is never pruned, and the name means it wherever a VERSION is asked for.
      "entry +2 ~1 -3" says that two rows of entry were added, one was changed and three were
      removed since the version before. That is counted once; of a long history the next call
      counts more.
      """,
    examples: [
      "openwo history -n 20", "openwo history --since '2 weeks ago'",
      "openwo history Training/openwo.sqlite --json", "openwo history diary.db --row entry 3",
      "openwo history --pin @ before-the-trip",
    ]
  )

  @Argument(
    help: ArgumentHelp(ArgumentHelp.database.abstract, valueName: "database"),
    completion: .file())
  var word: String?

  var database: String? {
    word ?? RowWords(row).database ?? (pin.count == 3 ? pin.last : nil)
  }

  @Option(
    name: [.customShort("n"), .long], parsing: .unconditional,
    help: ArgumentHelp("List so many versions at most.", valueName: "count"))
  var limit: Count?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("List no version from before, say '2 weeks ago'.", valueName: "time"))
  var since: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "A table and the key of a row, a word for each column: what became of it.",
      valueName: "row"))
  var row: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("A version and the name to give it.", valueName: "pin"))
  var pin: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Take this name from the version that has it.", valueName: "name"))
  var unpin: String?

  @Flag(help: "List the damaged files, too, that were kept aside on this device.")
  var all = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let limit = try call.count(limit, "limit")
    let store = try call.open()
    if let changed = try call.changePins(pin, unpin, in: store) { return Outcome(report: changed) }
    let start = try call.moment(since, "since")
    func isListed(_ version: Version) -> Bool { start.map { version.madeAt >= $0 } ?? true }
    if let row = try RowWords(row).row(call.verb) {
      var history = try call.history(of: row, in: store)
      history.changes = history.changes.filter { isListed($0.version) }
      return Outcome(
        report: RowHistoryReport(
          row: row, history: history, limit: limit ?? .max, database: try call.database()))
    }
    let entries = try store.history().filter { isListed($0.version) }
    let listed = Array(entries.prefix(limit ?? .max))
    let kept = try call.isOn(all, "all") ? store.quarantine() : nil
    let summaries = try call.withProgress("counting what changed") { _ in
      try store.summaries(of: listed.map(\.version.id))
    }
    return Outcome(
      report: HistoryReport(
        versions: listed, summaries: summaries, quarantined: kept,
        database: try call.database()))
  }
}

extension Invocation {
  /// The moment that an option names, from its beginning.
  fileprivate func moment(_ given: String?, _ option: String) throws -> Timestamp? {
    guard let text = try text(given, option) else { return nil }
    guard let moment = SyncedDatabase.beginning(of: text, in: .machine) else {
      throw StoreError.usage(
        "--\(option) \(String(printable: text.utf8)) is no time",
        hint: "name one as history prints it, or: openwo \(verb) --\(option) '2 weeks ago'")
    }
    return moment
  }

  /// The history of a row; refuses a table that no version has, or a key of another kind.
  fileprivate func history(of row: RowsRequest, in store: SyncedDatabase) throws -> RowHistory {
    let history = try withProgress("looking") { _ in try store.history(of: row) }
    guard history.isTableKnown || history.changes.isEmpty && history.unread > 0 else {
      let words = row.key?.count == 1 ? "one word" : "\(row.key?.count ?? 0) words"
      throw StoreError.usage(
        "no version has a table \(String(printable: row.table.utf8)) whose rows have a key of \(words)",
        hint:
          "see the tables: \(try database().command("query", "'SELECT name, sql FROM sqlite_schema'"))"
      )
    }
    return history
  }
}

/// The report of `history`.
struct HistoryReport: Report {
  let versions: [HistoryEntry]
  /// The changes of each version.
  let summaries: [VersionID: VersionSummary]
  /// The files in quarantine; nil if nobody asked for them.
  let quarantined: [QuarantinedFile]?
  let database: DatabaseArgument

  var members: [JSONMember] {
    let members = [JSONMember("versions", .array(versions.map(json)))]
    guard let quarantined else { return members }
    return members + [JSONMember("quarantined", .array(quarantined.map { .quarantined($0) }))]
  }

  private func json(_ entry: HistoryEntry) -> JSONValue {
    let version = entry.version
    let members = [
      JSONMember("id", .id(version.id)),
      JSONMember("parents", .array(version.parents.map { .id($0) })),
      JSONMember("device", .string(version.device)),
      JSONMember("deviceName", .string(version.deviceName)),
      JSONMember("at", .time(version.madeAt)),
      JSONMember("content", .string(version.content.description)),
      JSONMember("bytes", .integer(version.bytes)),
      JSONMember("reason", .string(version.reason.rawValue)),
      JSONMember("note", .text(version.note)), JSONMember("live", .bool(entry.isLive)),
      JSONMember("published", .bool(entry.isPublished)), JSONMember("pins", .texts(entry.pins)),
    ]
    return .object(members + VersionSummary.members(summaries[version.id]))
  }

  func lines(_ style: Style) -> [String] {
    // On a narrow terminal only one of the last two has room: what people have written goes first.
    let isNarrow = (style.width ?? .max) < 100
    let last = isNarrow ? ["note, changes"] : ["changes", "note"]
    var table = Table(["  version", "when", "device", "reason", "size"] + last, numbers: [4])
    for entry in versions {
      let version = entry.version
      let (note, changes) = (Self.note(entry), summaries[version.id]?.text ?? "")
      table.add(
        [
          (entry.isLive ? "* " : "  ") + version.id.short, style.local(version.madeAt),
          String(printable: version.deviceName.utf8).cut(to: 16), version.reason.rawValue,
          Style.size(version.bytes),
        ]
          + (isNarrow
            ? [[note, changes].filter { !$0.isEmpty }.joined(separator: ", ")] : [changes, note]))
    }
    var lines = table.lines(style)
    if let live = versions.firstIndex(where: \.isLive) {
      lines[live + 1] = style.bold(lines[live + 1])
    }
    return lines + keptAside(style)
  }

  /// The names of a version, then its note.
  private static func note(_ entry: HistoryEntry) -> String {
    (entry.pins.map { "[\($0)]" } + [String(printable: (entry.version.note ?? "").utf8)])
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func keptAside(_ style: Style) -> [String] {
    guard let quarantined, let newest = quarantined.first else { return [] }
    var table = Table(["kept aside, no version", "when", "size", "why"], numbers: [2])
    for file in quarantined {
      table.add([
        file.id, style.local(file.at), Style.size(file.bytes), String(printable: file.why.utf8),
      ])
    }
    let next = database.command("recover", newest.id, "-o", "FILE")
    return [""] + table.lines(style) + ["write out what can be read: \(next)"]
  }
}

extension String {
  /// The text, or its beginning and a sign that more follows.
  func cut(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
