import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo conflicts`.
struct ConflictsVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "List conflicted copies, and how conflicts were settled.",
    usage: "[show] [<database>] [<source>] [<options>]",
    details: """
      Lists the files that a sync service has set beside the database, and the versions that
      were made when two sides met, with the losers that can be restored. With --check it ends
      with 3 when there are open ones. conflicts show compares the database with one of them
      row by row: what is added is only there, what is removed is only here.
      """,
    examples: [
      "openwo conflicts", "openwo conflicts --check --quiet",
      "openwo conflicts show 'diary (conflicted copy).db'",
    ]
  )

  @OptionGroup
  var words: ConflictWords

  var database: String? { (try? words.sorted())?.database }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With show: list so many rows of a table at most; on a terminal 1000 unless said.",
      valueName: "count"))
  var limit: Count?

  @OptionGroup
  var checkOption: CheckOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let words = try words.sorted()
    let store = try call.open()
    if self.words.shows {
      return Outcome(
        report: try call.difference(
          fromHereTo: words.states.first, of: store,
          rows: call.rowsListed(try call.count(limit, "limit"))))
    }
    let waiting = try store.mergeable().compactMap { source in
      if case .version(let id) = source { id } else { nil }
    }
    let report = ConflictsReport(
      database: try call.database(), open: try store.conflictedCopies(),
      settled: SettledConflict.all(in: try store.history()), unmerged: waiting,
      setAside: try store.setAside(markingSeen: !call.isJSON && !call.isQuiet))
    let isAnswerNo = try call.isOn(checkOption.check, "check") && !report.waiting.isEmpty
    return Outcome(report: report, exit: isAnswerNo ? .no : .done)
  }
}

extension Invocation {
  /// From the database to the other side of a conflict, row by row.
  fileprivate func difference(
    fromHereTo word: String?, of store: SyncedDatabase, rows: DifferenceReport.Rows
  ) throws -> ConflictReport {
    let here = try liveState()
    let other = try otherSide(word, of: store)
    if case .version(let id)? = other?.state, !isQuiet { try store.noteSeen(id) }
    let found = try withProgress("comparing") { tell in
      try store.diff(from: here.state, to: (other ?? here).state, rows: rows, telling: tell)
    }
    return ConflictReport(
      database: try database(),
      difference: DiffReport(from: here, to: other ?? here, found: found))
  }
}

/// Two sides that met and became one.
struct SettledConflict {
  /// The version that won; for a merge, the merged one.
  let winner: VersionID
  let loser: VersionID
  let at: Timestamp
  /// Whether the winner has the rows of both.
  let isMerged: Bool
  /// The conflict copy from which the loser was captured; nil if it was not one.
  let path: String?

  /// All that a history tells of, newest first.
  static func all(in history: [HistoryEntry]) -> [SettledConflict] {
    let versions = Dictionary(
      history.map { ($0.version.id, $0.version) }, uniquingKeysWith: { first, _ in first })
    return history.map(\.version).filter { [.settle, .merge].contains($0.reason) }
      .flatMap { settled -> [SettledConflict] in
        let parents = settled.parents.compactMap { versions[$0] }
        let winner = parents.first { $0.content == settled.content }
        return parents.filter { $0.content != settled.content }.map { loser in
          SettledConflict(
            winner: winner?.id ?? settled.id, loser: loser.id, at: settled.madeAt,
            isMerged: settled.reason == .merge, path: loser.copyName)
        }
      }
  }
}

/// The report of `conflicts`.
struct ConflictsReport: Report {
  let database: DatabaseArgument
  let open: [ConflictedCopy]
  let settled: [SettledConflict]
  /// The versions whose rows are not all in the live one.
  let unmerged: [VersionID]
  /// Those of them that lost to a later writer, with what is in them.
  let setAside: [SetAside]

  var members: [JSONMember] {
    [
      JSONMember("open", .array(waiting.map(Self.json))),
      JSONMember("kept", .array(open.filter { $0.need == .nothing }.map(Self.json))),
      JSONMember("settled", .array(settled.map(Self.json))),
      JSONMember("unmerged", .array(unmerged.map { .id($0) })),
      JSONMember("setAside", .array(setAside.map { .setAside($0) })),
      JSONMember("next", .text(next ?? merge)),
    ]
  }

  private static func json(_ copy: ConflictedCopy) -> JSONValue {
    .object([
      JSONMember("path", .string(copy.path)), JSONMember("service", .text(copy.service)),
      JSONMember("relation", .string(copy.relation.rawValue)),
      JSONMember("modifiedAt", .time(copy.modifiedAt)), JSONMember("problem", .text(copy.problem)),
    ])
  }

  private static func json(_ conflict: SettledConflict) -> JSONValue {
    .object([
      JSONMember("winner", .id(conflict.winner)), JSONMember("loser", .id(conflict.loser)),
      JSONMember("at", .time(conflict.at)), JSONMember("merged", .bool(conflict.isMerged)),
      JSONMember("path", .text(conflict.path)),
    ])
  }

  func lines(_ style: Style) -> [String] {
    var lines = open.isEmpty ? ["no conflicted copies beside \(database.name)"] : []
    for copy in open {
      let twin = copy.isTwin ? " (its name in another Unicode form)" : ""
      let service = copy.service.flatMap(SyncService.init)?.title.map { " (\($0))" } ?? twin
      lines.append("\(copy.path)\(service): \(Self.sentence(copy)), \(style.ago(copy.modifiedAt))")
    }
    for conflict in settled {
      lines.append(sentence(conflict, style))
    }
    for side in setAside {
      lines.append("not merged: \(side.version.short) \(side.sentence(style))")
    }
    if let next { lines.append("next: \(next)") }
    if let merge { lines.append("to bring in its rows: \(merge)") }
    if let loser = settled.first(where: { !$0.isMerged })?.loser {
      lines.append("to bring one back: \(database.command("restore", loser.short))")
    }
    return lines
  }

  private func sentence(_ conflict: SettledConflict, _ style: Style) -> String {
    let (winner, loser) = (conflict.winner.short, conflict.loser.short)
    guard !conflict.isMerged else {
      return "merged \(style.local(conflict.at)): the rows of \(loser) are in \(winner)"
    }
    let isMerged = settled.contains { $0.isMerged && $0.loser == conflict.loser }
    let later = isMerged ? ", merged since" : ""
    return "settled \(style.local(conflict.at)): kept \(winner), set aside \(loser)\(later)"
  }

  /// The copies that are to become versions or to go; others stay as backups.
  var waiting: [ConflictedCopy] { open.filter { $0.need != .nothing } }

  private var next: String? {
    guard !waiting.isEmpty else { return nil }
    return database.command(waiting.contains { $0.need == .sync } ? "sync" : "doctor")
  }

  private var merge: String? {
    if setAside.contains(where: \.isUnrelated) { return setAside.merge(database) }
    if let first = unmerged.first {
      return database.command("merge", unmerged.count == 1 ? first.short : "--all")
    }
    let own = open.first { $0.need == .nothing && $0.relation == .diverged }
    return own.map { database.command("merge", FilePath($0.path).shellName) }
  }

  private static func sentence(_ copy: ConflictedCopy) -> String {
    switch copy.relation {
    case .equal: "the same as the database"
    case .ancestor: "an older version"
    case .diverged where copy.need == .nothing:
      "holds changes of its own; people choose such names, too, so it waits"
    case .diverged: "holds changes of its own"
    case .unknown: copy.problem ?? "left alone: not known to be a copy of the database"
    }
  }
}
