import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo export`.
struct ExportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write out the data for other programs.",
    details: """
      Writes all tables as JSON, one table as CSV, or the database as an SQL script, to standard
      output or to FILE, which must not exist. Changes nothing, and works while somebody holds
      the lock: then it is the state from before. Names what it has to leave out. In CSV a field
      without quotation marks is NULL, a number, or bytes such as x'00FF'; in JSON an object says
      what has no form of its own. An app's own form is a file with one query that gives its text.
      """,
    examples: [
      "openwo export -o diary.json", "openwo export diary.db --format csv --table entry",
      "openwo export diary.db --format sql | sqlite3 copy.db",
      "openwo export --profile examples/trainlog/export.sql",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(help: ArgumentHelp("json, csv or sql; json unless said.", valueName: "form"))
  var format: ExportFormat?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only this table; may be given several times.", valueName: "name"))
  var table: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A file with the query that gives an app's own form.", valueName: "file"),
    completion: .file())
  var profile: String?

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Write to a new file.", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let target = try call.surroundings.word(output, "output")?.path
    if let target, try FileSystem().statusIfPresent(target) != nil {
      throw StoreError.usage(
        "\(target.printable) is there already; nothing was written", hint: "choose another name")
    }
    let store = try call.open()
    let (text, leftOut) = try call.withProgress("exporting", reading: 3) { _ in
      try self.text(call, store)
    }
    try call.sayWhatMayBeStale(store)
    call.say(leftOut)
    guard let output = target else {
      try call.console.write(Array(text.utf8))
      return Outcome()
    }
    try AtomicFile.write(
      Array(text.utf8), to: output, mode: .createNew, permissions: 0o600,
      fileSystem: FileSystem())
    return Outcome(
      report: ExportReport(output: output, bytes: text.utf8.count, leftOut: leftOut))
  }

  private func text(
    _ call: Invocation, _ store: SyncedDatabase
  ) throws -> (String, [SyncedDatabase.LeftOutTable]) {
    if let profile = try call.surroundings.word(profile, "profile")?.path {
      let query = try FileSystem().readSmall(profile, limit: 1 << 20)
      let texts = try store.exportTexts(ofQuery: String(decoding: query, as: UTF8.self))
      return (texts.map { $0 + "\n" }.joined(), [])
    }
    if format == .sql {
      var script = ""
      let leftOut = try store.exportScript { script += $0 }
      return (script, leftOut)
    }
    let (tables, leftOut) = try store.exportTables(named: table.isEmpty ? nil : table)
    guard format == .csv else {
      let version = try store.read { try $0.userVersion }
      return (JSONText.document(tables, userVersion: version), leftOut)
    }
    guard let only = tables.first, tables.count == 1 else {
      call.say(leftOut)
      let names = tables.map(\.name).joined(separator: ", ")
      throw StoreError.usage(
        tables.isEmpty
          ? "CSV is one table, and there is none to write"
          : "CSV is one table, here are \(tables.count): \(names)",
        hint: "name one: openwo export --format csv --table NAME")
    }
    return (CSVText.document(only.columns, only.rows), leftOut)
  }
}

extension Invocation {
  /// Prints what is missing from an export.
  fileprivate func say(_ leftOut: [SyncedDatabase.LeftOutTable]) {
    for table in leftOut where !isQuiet {
      console.remark(
        "openwo: note: left out \(String(printable: table.name.utf8)): "
          + String(printable: table.reason.utf8))
    }
  }

  /// Another device may have something newer; the export is made all the same.
  fileprivate func sayWhatMayBeStale(_ store: SyncedDatabase) throws {
    guard !isQuiet, try store.status().state != .synced else { return }
    console.remark("openwo: note: this may be stale; see why: \(try database().command("status"))")
  }
}

/// The report of `export` after it wrote a file.
struct ExportReport: Report {
  let output: FilePath
  let bytes: Int
  let leftOut: [SyncedDatabase.LeftOutTable]

  var members: [JSONMember] {
    [
      JSONMember("output", .string(output.jsonText)), JSONMember("bytes", .count(bytes)),
      JSONMember("leftOut", .texts(leftOut.map(\.name))),
    ]
  }

  func lines(_ style: Style) -> [String] {
    ["exported \(Style.size(Int64(bytes))) to \(output.printable)"]
  }
}
