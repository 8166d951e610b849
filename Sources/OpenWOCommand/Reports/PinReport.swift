import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

extension Invocation {
  /// Gives a version a name or takes one away; nil if that was not asked for.
  func changePins(
    _ pin: [String], _ unpin: String?, in store: SyncedDatabase
  ) throws -> PinReport? {
    if let name = try text(unpin, "unpin") {
      try store.unpin(name)
      return PinReport(database: try database(), name: name, version: nil)
    }
    guard !pin.isEmpty else { return nil }
    guard pin.count >= 2 else {
      throw StoreError.usage(
        "--pin needs a version and a name",
        hint: "write it like this: openwo history --pin @ before-the-trip")
    }
    let minutesEast = Terminal.minutesEast(at: SystemClock().now())
    let version = try store.version(named: pin[0], minutesEast: minutesEast)
    try store.pin(version.id, as: pin[1])
    return PinReport(database: try database(), name: pin[1], version: version.id)
  }
}

/// What `history --pin` and `history --unpin` say.
struct PinReport: Report {
  let database: DatabaseArgument
  let name: String
  /// The version that has the name now; nil if none has.
  let version: VersionID?

  var members: [JSONMember] {
    [JSONMember("pin", .string(name)), JSONMember("version", .id(version))]
  }

  func lines(_ style: Style) -> [String] {
    let name = String(printable: name.utf8)
    guard let version else { return ["no version of \(database.name) is called \(name) any more"] }
    return [
      "version \(version.short) of \(database.name) is called \(name) and is never pruned",
      "undo: \(database.command("history", "--unpin", FilePath(name).shellName))",
    ]
  }
}
