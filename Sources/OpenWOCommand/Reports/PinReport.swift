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
    let before = try store.history().first { $0.pins.contains(pin[1]) }?.version.id
    let version = try store.version(named: pin[0], in: .machine)
    try store.pin(version.id, as: pin[1])
    return PinReport(
      database: try database(), name: pin[1], version: version.id,
      before: before == version.id ? nil : before)
  }
}

/// The report of `history --pin` and `history --unpin`.
struct PinReport: Report {
  let database: DatabaseArgument
  let name: String
  /// The version that has the name now; nil if none has.
  let version: VersionID?
  /// The version that had the name until now; nil if none had.
  var before: VersionID?

  var members: [JSONMember] {
    [JSONMember("pin", .string(name)), JSONMember("version", .id(version))]
  }

  func lines(_ style: Style) -> [String] {
    let name = String(printable: name.utf8)
    guard let version else { return ["no version of \(database.name) is called \(name) any more"] }
    let line = "version \(version.short) of \(database.name) is called \(name) and is never pruned"
    let word = FilePath(name).shellName
    guard let before else {
      return [line, "undo: \(database.command("history", "--unpin", word))"]
    }
    return [
      line, "version \(before.short) was called so until now, and may be pruned again",
      "undo: \(database.command("history", "--pin", before.short, word))",
    ]
  }
}
