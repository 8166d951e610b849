import OpenWO
import OpenWOFiles

/// The other calls of a store as calls of the command.
extension CommandCall {
  func line(_ call: NextCall) -> String {
    switch call {
    case .examine: openwo("doctor")
    case .lookAt(let other): DatabaseName(other).openwo("status")
    case .compare(let version): openwo("diff", version.short, "@")
    case .compareRows(let side): openwo("diff", "@", word(side), "--rows")
    case .merge(let side): openwo("merge", word(side))
    case .mergeWithoutBase(let side): openwo("merge --empty-base", word(side))
    case .listConflicts(let side): openwo("merge --dry-run --json", word(side))
    case .allVersions: openwo("history --all")
    case .recover(let file): openwo("recover", file, "-o FILE")
    case .pin(let version): "openwo history --pin \(version.short) before-the-trip"
    case .unpin: openwo("history --unpin NAME")
    case .edit: openwo("edit", "-- sqlite3")
    case .editFile: openwo("edit", "-- sqlite3 {}")
    case .lock: openwo("lock")
    case .watchLock: "see it happen, with openwo watch there: \(openwo("lock --wait 5m"))"
    case .unlockThere: "openwo unlock"
    case .initialize: openwo("init")
    case .initializeAnother: openwo("init --new")
    case .listDevices: openwo("devices")
    case .forgetDevice(let id): openwo("devices --forget \(id)")
    case .leaveThere: "run openwo leave there first"
    case .leaveUnmerged: openwo("leave --even-unmerged")
    case .waitForDevice(let id):
      "wait for the service (or, if it cannot bring it any more, openwo devices --forget \(id)), "
        + "then: \(openwo("doctor"))"
    case .query: openwo("query", "SQL")
    case .queryLonger: openwo("query --timeout 5m", "SQL")
    case .queryTables: openwo("query", "\"SELECT name, sql FROM sqlite_schema\"")
    case .migrate(let file): openwo("migrate", "--from", file.shellName)
    case .readHelp(.making): "openwo help init"
    case .readHelp(.showing): "openwo help show"
    case .readHelp(nil): "openwo help"
    }
  }

  private func word(_ side: MergeSource) -> String {
    switch side {
    case .version(let id): id.short
    case .file(let path): path.shellName
    }
  }
}
