import OpenWO
import OpenWOFiles
import OpenWOHistory

extension Verb {
  static let restore = Verb(
    name: "restore", group: .lookingBack, summary: "bring a version back",
    operands: ["VERSION"], options: [.dryRun],
    details: """
      Makes the database what it was, as a new version on top: nothing of the history is lost,
      and the restore itself can be undone.
      """,
    examples: [
      "openwo restore @~1", "openwo restore Training/openwo.sqlite 3f9c0a1b",
      "openwo restore '2h ago'",
    ]
  ) { call in
    let store = try call.open()
    let wanted = try call.version(call.operand(0), in: store)
    let database = try call.database()
    if try call.isOn(.dryRun) {
      let live = try store.planRestore()
      return Outcome(
        report: RestoredReport(
          database: database, restored: wanted.id, previous: live.id,
          wasLive: live.content == wanted.content))
    }
    let report = try store.restore(wanted.id)
    return Outcome(
      report: RestoredReport(
        database: database, version: report.version, restored: wanted.id,
        previous: report.previous, wasLive: report.version == report.previous))
  }
}

extension Invocation {
  /// The version that a word means.
  func version(_ word: Word, in store: SyncedDatabase) throws -> Version {
    let now = SystemClock().now()
    return try store.version(named: word.text, minutesEast: Terminal.minutesEast(at: now))
  }
}

/// What `restore` says.
struct RestoredReport: Report {
  let database: DatabaseArgument
  /// The new version on top; nil when it was only asked what would be done.
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
