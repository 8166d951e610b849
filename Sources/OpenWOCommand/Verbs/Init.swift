import OpenWO
import OpenWOFiles
import OpenWOHistory

extension Verb {
  static let initialize = Verb(
    name: "init", group: .everyday, summary: "make a store of a database",
    options: [.create, .app, .environment, .dryRun],
    details: """
      Makes the folder DATABASE.openwo beside the database and keeps the database as its first
      version. The database itself stays an ordinary SQLite file; one in WAL mode is brought
      back to a single file. Refuses where a store or traces of one stand.
      """,
    examples: [
      "openwo init Training/openwo.sqlite", "openwo init --create --app org.example.diary diary.db",
    ]
  ) { call in
    let database = try call.databaseToInitialize()
    var configuration = call.configuration()
    configuration.app = call.text(.app) ?? ""
    configuration.environment = call.text(.environment) ?? configuration.environment
    let create = try call.isOn(.create)
    if try call.isOn(.dryRun) {
      try SyncedDatabase.checkInitialize(
        at: database.path, create: create, configuration: configuration)
      return Outcome(report: InitializeReport(database: database, made: nil))
    }
    let made = try SyncedDatabase.initialize(
      at: database.path, create: create, configuration: configuration)
    return Outcome(report: InitializeReport(database: database, made: made))
  }
}

extension Option {
  fileprivate static let create = Option(name: "create", summary: "make a new, empty database")
  fileprivate static let app = Option(
    name: "app", value: "ID", summary: "the app it belongs to, such as org.example.diary")
  fileprivate static let environment = Option(
    name: "environment", value: "NAME", summary: "keeps development data apart from production")
}

extension Invocation {
  /// Here nothing can be found by looking around.
  fileprivate func databaseToInitialize() throws -> DatabaseArgument {
    guard !operands.isEmpty || surroundings.variable("OPENWO_DB") != nil else {
      throw StoreError.usage(
        "init needs a DATABASE", hint: "name the file: openwo init DATABASE")
    }
    return try database()
  }
}

/// What `init` says.
struct InitializeReport: Report {
  let database: DatabaseArgument
  /// nil when it was only asked what would be done.
  let made: InitReport?

  var members: [JSONMember] {
    [
      JSONMember("store", .text(made?.store)),
      JSONMember("device", made.map { .device($0.device) } ?? .null),
      JSONMember("head", .id(made?.head)), JSONMember("foldedWAL", .bool(made?.foldedWAL ?? false)),
      JSONMember("dryRun", .bool(made == nil)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard let made else { return ["would make a store of \(database.name)"] }
    var lines = [
      "made a store of \(database.name), first version \(made.head.short)",
      "  device    \(String(printable: made.device.name.utf8))",
      "  versions  \(database.name).openwo",
    ]
    if made.foldedWAL {
      lines.append("the database was in WAL mode; it is a single file again, no row was lost")
    }
    return lines + ["next: \(database.command("status"))"]
  }
}
