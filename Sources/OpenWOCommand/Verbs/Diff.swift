import ArgumentParser
import OpenWO
import OpenWOFiles

/// `openwo diff`.
struct DiffVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Say what changed between two states.",
    usage: "[<database>] [<from> [<to>]] [<options>]",
    details: """
      Compares rows by their keys, and the layout of the tables: from the live version to the
      database as it is, from FROM to that, or from FROM to TO. Each may be a version, a
      conflicted copy or any SQLite file. With --exit-code it ends with 3 when they differ.
      """,
    examples: [
      "openwo diff", "openwo diff @~1 --rows", "openwo diff Training/openwo.sqlite @~3 @~1",
      "openwo diff @ 'openwo (conflicted copy).sqlite' --sql > changes.sql",
    ]
  )

  @OptionGroup
  var words: StateWords

  var database: String? { SortedWords(words.all, states: 2).database }

  @Flag(help: "List the rows too.")
  var rows = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "List so many rows of a table at most; on a terminal 1000 unless said.",
      valueName: "count"))
  var limit: Count?

  @Flag(help: "Print a script that turns FROM into TO.")
  var sql = false

  @Flag(help: "End with 3 instead of 0 when they differ.")
  var exitCode = false

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let isScript = try call.isOn(sql, "sql")
    let hasRows = try call.isOn(rows, "rows")
    guard !isScript || !call.isJSON && !hasRows else {
      throw StoreError.usage(
        "a script leaves no room for \(hasRows ? "--rows" : "--json")",
        hint: "ask for the script alone: openwo diff --sql")
    }
    let listed = call.rowsListed(try call.count(limit, "limit"))
    let store = try call.open()
    let states = try SortedWords(words.all, states: 2).states.map { try call.state($0, of: store) }
    let from = try states.first ?? call.state("@", of: store)
    let to = try states.dropFirst().first ?? call.liveState()
    let found =
      isScript
      ? try call.writeScript(from, to, of: store)
      : try call.withProgress("comparing", reading: 3) { tell in
        try store.diff(
          from: from.state, to: to.state, rows: hasRows ? listed : .counted, telling: tell)
      }
    let isAnswerNo = try call.isOn(exitCode, "exit-code") && !found.equal
    return Outcome(
      report: isScript ? nil : DiffReport(from: from, to: to, found: found),
      exit: isAnswerNo ? .no : .done)
  }
}

extension Invocation {
  /// Writes the script to standard output, and says what is not in it.
  fileprivate func writeScript(
    _ from: NamedState, _ to: NamedState, of store: SyncedDatabase
  ) throws -> DifferenceReport {
    var waiting: [UInt8] = []
    let found = try store.diffScript(from: from.state, to: to.state) { piece in
      waiting += piece.utf8
      guard waiting.count >= 1 << 16 else { return }
      try console.write(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
    try console.write(waiting)
    for table in found.tables where !isQuiet {
      guard let reason = table.notCompared else { continue }
      console.remark(
        "openwo: the script leaves \(String(printable: table.table.utf8)) as it is: "
          + String(printable: reason.utf8))
    }
    return found
  }
}
