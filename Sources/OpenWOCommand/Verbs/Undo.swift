import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// `openwo undo`.
struct UndoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back what this device did last.",
    details: """
      Makes the database what it was before the newest version, as a new version on top, if this
      device made that version, or merged another side into what was live here. Another undo takes
      back the undo. A change that is not yet saved as a version becomes one first.
      """,
    examples: ["openwo undo", "openwo undo --dry-run Training/openwo.sqlite"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let store = try call.open()
    let database = try call.database()
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    // The last write of a program is what should be taken back.
    if !isDryRun { try database.refuseWhatCameBack(try store.reconcile()) }
    let (last, before) = try store.lastOwnChange(database)
    if isDryRun {
      _ = try store.planRestore(of: before.id, ifHead: last.id)
      return Outcome(report: UndoneReport(database: database, last: last, before: before.id))
    }
    let report = try call.withProgress("taking it back", reading: 9) { _ in
      try store.restore(before.id, ifHead: last.id)
    }
    return Outcome(
      report: UndoneReport(
        database: database, last: last, before: before.id, version: report.version))
  }
}

extension DatabaseArgument {
  /// Stops after a missing or damaged database was restored: that may be all that was wanted, and
  /// its last change was not a mistake.
  fileprivate func refuseWhatCameBack(_ report: ReconcileReport) throws {
    guard let step = report.actions.last(where: { $0.kind == "repair" }) else { return }
    let version = step.version.map { "version \($0.short)" } ?? "its newest version"
    let why = step.reason.map { " (\(String(printable: $0.utf8)))" } ?? ""
    let kept = report.quarantined.last.map { "; what was there is kept as \($0.id)" } ?? ""
    throw StoreError(
      kept.isEmpty ? .unavailable : .damaged,
      "\(name) was put back as \(version)\(why), and nothing else was taken back\(kept)",
      hint: "to take back that version, too: \(command("undo"))", version: step.version)
  }
}

extension SyncedDatabase {
  /// The live version, if this device made it, and the one before it.
  func lastOwnChange(
    _ database: DatabaseArgument
  ) throws -> (last: Version, before: Version) {
    let versions = try history().map(\.version)
    guard let last = try history().first(where: \.isLive)?.version else {
      throw StoreError(
        .noSuchVersion, "no version of \(database.name) is live; nothing was changed",
        hint: "see why: \(database.command("status"))")
    }
    let isOwn =
      try last.reason == .merge
      ? lastLive(among: last.parents) != nil : last.device == status().device.id
    guard isOwn else {
      throw StoreError(
        .noSuchVersion,
        "the newest version of \(database.name), \(last.short), \(last.whoMade); nothing was "
          + "changed",
        hint: "choose a version to go back to: \(database.command("history"))")
    }
    guard let before = try origin(of: last, among: versions) else {
      throw StoreError(
        .noSuchVersion,
        "version \(last.short) of \(database.name) is the first one that is kept; nothing was "
          + "changed",
        hint: "see all versions: \(database.command("history"))")
    }
    return (last, before)
  }
}

extension SyncedDatabase {
  /// The version that another one was made from: of several the one that was live here, else one of the same device.
  func origin(of version: Version, among versions: [Version]) throws -> Version? {
    let before = versions.filter { version.parents.contains($0.id) }
    guard before.count > 1 else { return before.first }
    let wasLive = try lastLive(among: before.map(\.id))
    return before.first { $0.id == wasLive } ?? before.first { $0.device == version.device }
      ?? before.first
  }
}

extension Version {
  fileprivate var short: String { id.short }

  /// Who made it, if that was not this device alone.
  fileprivate var whoMade: String {
    switch reason {
    case .merge: "merged versions that were not live here"
    case .settle: "settled a conflict, in which the later writer won"
    default: "is not this device's but of \(String(printable: deviceName.utf8))"
    }
  }
}

/// The report of `undo`.
struct UndoneReport: Report {
  let database: DatabaseArgument
  /// The version that is taken back.
  let last: Version
  let before: VersionID
  /// The new version on top; nil if it was only asked what would be done.
  var version: VersionID?

  var members: [JSONMember] { members(isDryRun: version == nil) }

  func members(isDryRun: Bool) -> [JSONMember] {
    [
      JSONMember("version", .id(version)), JSONMember("undone", .id(last.id)),
      JSONMember("restored", .id(before)), JSONMember("dryRun", .bool(isDryRun)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    let change = "version \(last.id.short) of \(database.name) (\(words(style)))"
    guard let version else { return ["would take back \(change)"] }
    return [
      "took back \(change): restored version \(before.short), as version \(version.short)",
      "undo: \(database.command("undo"))",
    ]
  }

  private func words(_ style: Style) -> String {
    let note = last.note.map { ": \(String(printable: $0.utf8))" } ?? ""
    return "\(last.reason.rawValue)\(note), \(style.ago(last.madeAt))"
  }
}
