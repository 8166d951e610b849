import ArgumentParser
import OpenWO
import OpenWOApp
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage

/// `openwo migrate`.
struct MigrateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring a local database into a synced folder, and back.",
    usage: "<database> --from <file> | [<database>] --back <file> [<options>]",
    details: """
      With --from, FILE is copied to DATABASE where nothing is yet, or merged into it by key
      where a store is; FILE is renamed and kept. With --back, what is live is written to FILE,
      which must not exist; the folder stays as it is.
      """,
    examples: [
      "openwo migrate Training/openwo.sqlite --from ~/old/openwo.sqlite",
      "openwo migrate Training/openwo.sqlite --back openwo.sqlite",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The file that is on this device only.", valueName: "file"),
    completion: .file())
  var from: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The new file to write to.", valueName: "file"),
    completion: .file())
  var back: String?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let from = try call.surroundings.word(from, "from")?.path
    let back = try call.surroundings.word(back, "back")?.path
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    switch (from, back) {
    case (let from?, nil): return try call.bring(from, isDryRun)
    case (nil, let back?): return try call.bringBack(to: back, isDryRun)
    default:
      throw StoreError.usage(
        "migrate needs either --from or --back",
        hint: "see how it is called: openwo help migrate")
    }
  }
}

extension Invocation {
  fileprivate func bring(_ local: FilePath, _ isDryRun: Bool) throws -> Outcome {
    let database = try database()
    guard try FileSystem().statusIfPresent(local)?.kind == .regular else {
      throw StoreError(
        .unavailable, "there is no database \(local.printable)",
        hint: "name the file that is on this device: "
          + database.command("migrate", "--from", "FILE"))
    }
    if isDryRun {
      return Outcome(report: MigrateReport(database: database, local: local, done: nil))
    }
    let live = liveBefore(database)
    let done = try withProgress("bringing it in") { _ in
      try LocalMigration(local, to: database.path, configuration()).run()
    }
    let before = done.kind == .merged ? live : nil
    return Outcome(
      report: MigrateReport(database: database, local: local, done: done, before: before))
  }

  /// The version that is live before the rows come in, to which `undo` leads; nil if there is no store yet.
  private func liveBefore(_ database: DatabaseArgument) -> VersionID? {
    guard let store = try? SyncedDatabase(at: database.path, configuration: configuration()) else {
      return nil
    }
    _ = try? store.reconcile()
    return try? store.history().first(where: \.isLive)?.version.id
  }

  fileprivate func bringBack(to path: FilePath, _ isDryRun: Bool) throws -> Outcome {
    let database = try database()
    guard try FileSystem().statusIfPresent(path) == nil else {
      throw StoreError.usage(
        "\(path.printable) is there already; nothing was written", hint: "choose another name")
    }
    let store = try open()
    let version = try store.version(named: "@")
    if !isDryRun { try store.export(version.id, to: path) }
    return Outcome(
      report: BroughtBackReport(
        database: database, version: version, output: path, isDone: !isDryRun))
  }
}

/// The report of `migrate --from`.
struct MigrateReport: Report {
  let database: DatabaseArgument
  let local: FilePath
  /// nil if it was only asked what would be done.
  let done: AttachReport?
  /// The version that was live before the rows came in; nil if there was none.
  var before: VersionID?

  var members: [JSONMember] {
    [
      JSONMember("from", .string(local.jsonText)), JSONMember("kind", .text(done?.kind.rawValue)),
      JSONMember("keptAt", .text(done?.keptAt)), JSONMember("dryRun", .bool(done == nil)),
      JSONMember(
        "tables",
        .array(
          (done?.tables ?? []).map { table in
            .object([
              JSONMember("table", .string(table.table)), JSONMember("copied", .count(table.copied)),
              JSONMember("merged", .count(table.merged)),
              JSONMember("decided", .count(table.decided)),
              JSONMember("renumbered", .count(table.renumbered)),
            ])
          })),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard let done else { return ["would bring \(local.printable) into \(database.name)"] }
    let rows = done.tables.map { table in
      let moved =
        table.renumbered == 0
        ? "" : ", \(table.renumbered) under another number, here or from there"
      return (table.table, "\(table.copied) copied, \(table.merged) merged\(moved)")
    }
    return ["\(done.kind.rawValue) \(local.printable) into \(database.name)"]
      + LabelledRows.lines(rows) + ["kept as \(done.keptAt ?? "")"]
      + (before.map { ["undo: \(database.command("restore", $0.short))"] } ?? [])
  }
}

/// The report of `migrate --back`.
struct BroughtBackReport: Report {
  let database: DatabaseArgument
  let version: Version
  let output: FilePath
  let isDone: Bool

  var members: [JSONMember] {
    [
      JSONMember("version", .id(version.id)), JSONMember("output", .string(output.jsonText)),
      JSONMember("dryRun", .bool(!isDone)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    [
      "\(isDone ? "wrote" : "would write") \(database.name) to \(output.printable); "
        + "the folder stays as it is"
    ]
  }
}
