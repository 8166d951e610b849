import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo recover`.
struct RecoverVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Write out what can be read of a damaged file.",
    usage: "[<database>] [<id>] --output <file> [<options>]",
    details: """
      A file that could not become a version is kept aside before it is replaced; doctor and
      history --all list such files. What can be read of one is written to FILE, a new database;
      rows whose table cannot be told are in lost_and_found. The live database is not touched.
      """,
    examples: [
      "openwo recover damaged-5b1f09d2c3aa -o rescued.sqlite",
      "openwo recover Training/openwo.sqlite damaged-5b1f -o rescued.sqlite",
    ]
  )

  @OptionGroup
  var words: QuarantineWords

  var database: String? { words.sorted.database }

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Write to a new file.", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    func command(_ file: String) throws -> String {
      let id = words.sorted.states.map { FilePath($0).shellName } + ["-o", file]
      return try call.database().command("recover") + " " + id.joined(separator: " ")
    }
    guard let output = try call.surroundings.word(output, "output")?.path else {
      throw StoreError.usage(
        "recover needs a new file to write to; nothing was written",
        hint: "name one: \(try command("recovered.sqlite"))")
    }
    guard try FileSystem().statusIfPresent(output) == nil else {
      throw StoreError.usage(
        "\(output.printable) is there already; nothing was written",
        hint: "choose another name: \(try command("FILE"))")
    }
    let report = try call.open().recover(words.sorted.states.first, to: output)
    return Outcome(
      report: RecoveredReport(database: try call.database(), report: report, output: output))
  }
}

/// `[DATABASE] [ID]`.
struct QuarantineWords: ParsableArguments {
  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(help: "The damaged file, or the beginning of its id; else the only one.")
  var id: String?

  var sorted: SortedWords { SortedWords([database, id].compactMap(\.self), states: 1) }
}

/// The report of `recover`.
struct RecoveredReport: Report {
  let database: DatabaseArgument
  let report: RecoveryReport
  let output: FilePath

  var members: [JSONMember] {
    [
      JSONMember("file", .quarantined(report.file)),
      JSONMember("output", .string(output.jsonText)),
      JSONMember("tables", .array(report.tables.map(Self.json))),
      JSONMember("lostAndFound", report.lostAndFound.map(Self.json) ?? .null),
      JSONMember("unreadable", .count(report.unreadable)),
      JSONMember("notes", .texts(report.notes)),
    ]
  }

  private static func json(_ table: RecoveryReport.Table) -> JSONValue {
    .object([JSONMember("table", .string(table.name)), JSONMember("rows", .count(table.rows))])
  }

  func lines(_ style: Style) -> [String] {
    let tables = report.tables + [report.lostAndFound].compactMap(\.self)
    let rows = tables.map { (String(printable: $0.name.utf8), "\($0.rows) rows") }
    var lines = ["wrote what could be read of \(report.file.id) to \(output.printable)"]
    lines += LabelledRows.lines(rows)
    if report.unreadable > 0 {
      lines.append(style.yellow("\(report.unreadable) rows could not be read"))
    }
    lines += [
      "see what differs: \(database.command("diff", "@", output.shellName))",
      "bring its rows in: \(database.command("merge", output.shellName))",
    ]
    return lines + report.notes.map { style.yellow("note: \(String(printable: $0.utf8))") }
  }
}
