import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo init`.
struct InitializeVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a store of a database.",
    usage: "<database> [<options>]",
    details: """
      Makes the folder DATABASE.openwo beside the database and keeps the database as its first
      version. The database itself stays an ordinary SQLite file; one in WAL mode is brought
      back to a single file. Refuses where there is a store or traces of one; if only store.json
      is missing and this device knows the store, it puts that file back. If this device knows
      a store whose folder is gone, it says how to have that again; --new begins another one.
      """,
    examples: [
      "openwo init Training/openwo.sqlite", "openwo init --create --app org.example.diary diary.db",
    ]
  )

  @Argument(help: "The database file; else $OPENWO_DB.", completion: .file())
  var database: String?

  @Flag(help: "Make a new, empty database.")
  var create = false

  @Flag(help: "Begin another store, though the folder of the one before is only gone.")
  var new = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The app it belongs to, such as org.example.diary.", valueName: "id"))
  var app: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keeps development data apart from production.", valueName: "name"))
  var environment: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How two sides become one: lastWriterWins or merge, and TABLE=newest, ours, theirs, union or singleton.",
      valueName: "policy"))
  var policy: [String] = []

  @OptionGroup
  var declarationOptions: DeclarationOptions

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let database = try call.databaseToInitialize()
    var configuration = call.configuration()
    configuration.app = try call.text(app, "app") ?? ""
    configuration.environment =
      try call.text(environment, "environment") ?? configuration.environment
    let policy = try call.policy(policy)
    configuration.settling = policy.settling
    configuration.mergeRules = policy.rules
    configuration.mergeDeclarations = try declarationOptions.declarations(call.verb)
    let create = try call.isOn(create, "create")
    configuration.checksDeclarations = !create
    if try !call.isOn(new, "new") {
      try SyncedDatabase.checkNothingLost(
        at: database.path, create: create, configuration: configuration)
    }
    if try call.isOn(dryRunOption.dryRun, "dry-run") {
      try SyncedDatabase.checkInitialize(
        at: database.path, create: create, configuration: configuration)
      return Outcome(
        report: InitializeReport(
          database: database, made: nil, policy: policy, createsDatabase: create))
    }
    try call.sayRoomNeeded("the first version")
    let made = try call.withProgress("keeping the first version", reading: 8) { _ in
      try SyncedDatabase.initialize(
        at: database.path, create: create, configuration: configuration)
    }
    return Outcome(report: InitializeReport(database: database, made: made, policy: policy))
  }
}

extension Invocation {
  /// Here nothing can be found by looking around.
  fileprivate func databaseToInitialize() throws -> DatabaseArgument {
    guard namesDatabase else {
      throw StoreError.usage(
        "init needs a DATABASE", hint: "name the file: openwo init DATABASE")
    }
    return try database()
  }
}

/// The report of `init`.
struct InitializeReport: Report {
  let database: DatabaseArgument
  /// nil if it was only asked what would be done.
  let made: InitReport?
  let policy: PolicyWords
  /// Whether the database itself would be new.
  var createsDatabase = false

  var members: [JSONMember] {
    [
      JSONMember("store", .text(made?.store)),
      JSONMember("device", made.map { .device($0.device) } ?? .null),
      JSONMember("head", .id(made?.head)), JSONMember("foldedWAL", .bool(made?.foldedWAL ?? false)),
      JSONMember("policy", .string((policy.settling ?? .lastWriterWins).rawValue)),
      JSONMember("dryRun", .bool(made == nil)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard let made else {
      let new = createsDatabase ? "the new, empty database " : ""
      return ["would make a store of \(new)\(database.name)"]
    }
    if made.isPutBack {
      return [
        "put back the lost store.json of \(database.name), newest version \(made.head.short)",
        "next: \(database.command("status"))",
      ]
    }
    var lines = [
      "openwo now keeps \(database.name); first version \(made.head.short)",
      "  device    \(String(printable: made.device.name.utf8))",
      "  versions  \(database.name).openwo, for your service to sync too",
    ]
    if policy.settling == .merge {
      lines.append("  policy    merge: what two devices wrote apart is merged row by row")
    }
    if made.foldedWAL {
      lines.append("the database was in WAL mode; it is a single file again, no row was lost")
    }
    return lines + ["next: \(database.command("edit", "-- sqlite3"))"]
  }
}
