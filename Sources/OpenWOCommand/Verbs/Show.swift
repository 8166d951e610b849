import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo show`.
struct ShowVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Write out a version's database.",
    usage: "[<database>] <version> [<options>]",
    details: """
      Writes the database as it was, to standard output or to FILE, checked against its hash.
      FILE must not exist. The live database is not touched: to bring a version back, restore it.
      """,
    examples: [
      "openwo show @~1 -o before.sqlite",
      "openwo show Training/openwo.sqlite 3f9c0a1b > copy.sqlite",
    ]
  )

  @OptionGroup
  var words: VersionWords

  var database: String? { words.database }

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Write to a new file.", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let store = try call.open()
    let version = try call.version(words, in: store, toLookAt: true)
    guard let output = try call.surroundings.word(output, "output")?.path else {
      return try call.pour(version, of: store)
    }
    try call.refuse(output, for: version, try call.database())
    try store.export(version.id, to: output)
    return Outcome(report: ShowReport(version: version, output: output))
  }
}

extension Invocation {
  /// Writes a version's bytes to standard output.
  fileprivate func pour(_ version: Version, of store: SyncedDatabase) throws -> Outcome {
    guard console.outputStyle.width == nil else {
      throw StoreError.usage(
        "a database cannot be shown on a terminal",
        hint:
          "write it to a file: \(try database().command("show", version.id.short, "-o", "FILE"))"
      )
    }
    guard !isJSON else {
      throw StoreError.usage(
        "the bytes of a database leave no room for --json",
        hint: "write it to a file: openwo show VERSION -o FILE --json")
    }
    try store.withContent(of: version.id) { try console.write($0) }
    return Outcome()
  }

  /// Refuses a file that is there: it may be a database, even this one.
  fileprivate func refuse(
    _ output: FilePath, for version: Version, _ database: DatabaseArgument
  ) throws {
    guard try FileSystem().statusIfPresent(output) != nil else { return }
    throw StoreError.usage(
      "\(output.printable) is there already; nothing was written",
      hint: "choose another name; to bring a version back: "
        + database.command("restore", version.id.short))
  }
}

/// The report of `show` after it wrote a file.
struct ShowReport: Report {
  let version: Version
  let output: FilePath

  var members: [JSONMember] {
    [
      JSONMember("version", .id(version.id)), JSONMember("output", .string(output.jsonText)),
      JSONMember("bytes", .integer(version.bytes)),
      JSONMember("content", .string(version.content.description)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    [
      "wrote version \(version.id.short) (\(Style.size(version.bytes))) to \(output.printable)"
    ]
  }
}
