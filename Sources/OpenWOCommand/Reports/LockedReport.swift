import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The report of `lock`.
struct LockedReport: Report {
  let database: DatabaseArgument
  /// nil if it was only asked what would be done.
  let taken: LockReport?
  /// The devices that would be waited for.
  var asked: [DeviceSummary] = []
  /// The path at which to open the database.
  var path: FilePath?

  var members: [JSONMember] {
    [
      JSONMember("lock", taken.map { .lock($0.lock, $0) } ?? .null),
      JSONMember("wouldAsk", .devices(asked)), JSONMember("dryRun", .bool(taken == nil)),
    ]
  }

  func lines(_ style: Style) -> [String] {
    guard let taken else {
      let names = asked.map { String(printable: $0.name.utf8) }.joined(separator: ", ")
      return ["would lock \(database.name)" + (names.isEmpty ? "" : " and ask \(names) to let go")]
    }
    let until = taken.lock.until.map { ", until \(style.clock($0))" } ?? ""
    var rows: [(String, String)] = taken.acknowledgedBy.map {
      ("let go", String(printable: $0.name.utf8))
    }
    rows += taken.waitingFor.map { ("no answer", silence($0, style)) }
    rows += taken.newerOn.map {
      ("on its way", "a newer version of \(String(printable: $0.name.utf8))")
    }
    if let path { rows.append(("open", path.shellName)) }
    rows.append(("when done", database.command("unlock")))
    var remarks: [String] = []
    if !taken.waitingFor.isEmpty {
      remarks.append("what a device writes before it sees the lock is kept as a version")
    }
    if !taken.newerOn.isEmpty {
      remarks.append(
        "to edit the newer version, first: \(database.command("unlock")); then lock with --wait 5m")
    }
    return ["locked \(database.name)\(until)"] + LabelledRows.lines(rows) + remarks
  }

  private func silence(_ device: DeviceSummary, _ style: Style) -> String {
    "\(String(printable: device.name.utf8)) (last seen \(style.seen(device.lastSeen)))"
  }
}
