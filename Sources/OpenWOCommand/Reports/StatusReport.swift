import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell

/// The report of `status`.
struct StatusReport: Report {
  let database: DatabaseArgument
  let status: StoreStatus
  let lock: LockReport?

  var members: [JSONMember] {
    [
      JSONMember("state", .string(status.state.rawValue)),
      JSONMember("device", .device(status.device)), JSONMember("head", .id(status.head)),
      JSONMember("content", .text(status.content?.description)),
      JSONMember("lock", status.lock.map { .lock($0, lock) } ?? .null),
      JSONMember("conflicts", .texts(status.conflicts)),
      JSONMember("quarantined", .array(status.quarantined.map { .quarantined($0) })),
      JSONMember("setAside", .array(status.setAside.map { .setAside($0) })),
      JSONMember("devices", .devices(status.devices)),
      JSONMember("availability", .string(status.availability.rawValue)),
      JSONMember("network", .string(status.network.rawValue)),
      JSONMember("joined", .id(status.joined)),
      JSONMember("lastLocalSaveAt", .time(status.lastLocalSaveAt)),
      JSONMember("lastCheckedAt", .time(status.lastCheckedAt)),
      JSONMember("lastError", .text(status.lastError)),
      JSONMember("obstacle", status.obstacle.map(Self.json) ?? .null),
      JSONMember("vanished", .array(status.vanished.map { .string($0.description) })),
      JSONMember("putBack", status.putBack.map(Self.json) ?? .null),
      JSONMember("unpublished", .integer(Int64(status.unpublished))),
      JSONMember("next", .text(next)),
    ]
  }

  private static func json(_ obstacle: StoreStatus.Obstacle) -> JSONValue {
    .object([
      JSONMember("error", .string(obstacle.error)),
      JSONMember("message", .string(obstacle.message)), JSONMember("hint", .string(obstacle.hint)),
    ])
  }

  private static func json(_ putBack: StoreStatus.PutBack) -> JSONValue {
    .object([
      JSONMember("older", .id(putBack.older)), JSONMember("newer", .id(putBack.newer)),
    ])
  }

  func lines(_ style: Style) -> [String] {
    var rows = lockRows(style)
    if let saved = status.lastLocalSaveAt {
      rows.append(("saved here", style.past(saved)))
    }
    if let head = status.head { rows.append(("version", head.short)) }
    if let putBack = status.putBack {
      rows.append(("put back", "the folder came back as version \(putBack.older.short)"))
      rows.append(("newer", "version \(putBack.newer.short) was live before and is safe"))
    }
    if let joined = status.joined {
      rows.append(("joined", "two devices had begun apart; \(joined.short) has the rows of both"))
    }
    rows += status.conflicts.map { ("copy", $0) }
    rows += status.quarantined.map { file in
      ("damaged", "what was here until \(style.local(file.at)) is kept as \(file.id)")
    }
    rows += status.setAside.prefix(5).map { ("set aside", $0.sentence(style)) }
    rows += status.devices.filter { !$0.isThisDevice }.map { (name($0), sight($0, style)) }
    if status.state != .locked, let first = NextCommand.first(status.obstacle?.hint) {
      rows.append(("first", first))
    }
    return [headline(style)] + LabelledRows.lines(rows) + (next.map { ["next: \($0)"] } ?? [])
  }

  private func headline(_ style: Style) -> String {
    let name = database.name
    if let obstacle = status.obstacle, status.state != .locked {
      return style.yellow(obstacle.message)
    }
    if !status.vanished.isEmpty, status.state != .locked {
      let isOne = status.vanished.count == 1
      return style.red(
        "\(isOne ? "a version of \(name) is" : "versions of \(name) are") gone from the folder; "
          + "this device has kept \(isOne ? "it" : "them")")
    }
    switch status.state {
    case .synced where status.unpublished > 0:
      let count = status.unpublished
      return style.yellow(
        "\(count == 1 ? "a version" : "\(count) versions") of \(name) "
          + "\(count == 1 ? "is" : "are") saved here and not in the folder yet")
    case .synced: return style.green("\(name) is up to date")
    case .edited: return style.yellow("\(name) has changes not yet saved as a version")
    case .locked: return style.yellow("\(name) is locked for editing \(holder)")
    case .conflict: return style.red("\(name) is in conflict: several versions have to become one")
    case .missing: return style.red("\(name) is missing; its versions are safe")
    case .damaged: return style.red("\(name) is damaged; the versions before are safe")
    case .unavailable: return style.red("the folder of \(name) cannot be used now")
    case .localOnly: return style.yellow("\(name) is saved on this device only")
    }
  }

  private var holder: String {
    guard let lock = status.lock else { return "" }
    guard lock.device == status.device.id else { return "by \(lock.holder)" }
    return String(printable: "on this device by \(lock.user) (\(lock.program))".utf8)
  }

  private func lockRows(_ style: Style) -> [(String, String)] {
    guard let lock = status.lock else { return [] }
    var rows = [("since", "\(style.clock(lock.since)) (\(style.ago(lock.since)))")]
    if let until = lock.until { rows.append(("until", style.clock(until))) }
    if let note = lock.note { rows.append(("note", String(printable: note.utf8))) }
    rows.append(("lock", lock.id))
    if let ending = ending(of: lock) { rows.append(("ends", ending)) }
    if let obstacle = status.obstacle { rows.append(("database", obstacle.message)) }
    return rows
  }

  /// When a lock ends that no command of this device has to end.
  private func ending(of lock: StoreLock) -> String? {
    guard lock.device == status.device.id else {
      let device = String(printable: lock.deviceName.utf8)
      return "when the edit on \(device) is finished, or from here with --force"
    }
    return lock.endsWithProcess ? "with that program" : nil
  }

  /// The line about another device.
  private func sight(_ device: DeviceSummary, _ style: Style) -> String {
    var words: [String] = []
    if let head = device.head {
      words.append(head == status.head ? "has this version" : "has version \(head.short)")
    }
    words.append("seen \(style.seen(device.lastSeen))")
    if let lock, lock.lock.device != device.id {
      let hasLetGo = lock.acknowledgedBy.contains { $0.id == device.id }
      words.append(hasLetGo ? "has let go" : "has not answered the lock")
    }
    return words.joined(separator: ", ")
  }

  private func name(_ device: DeviceSummary) -> String { String(printable: device.name.utf8) }

  /// The command that ends the lock from here; none if it ends with a program of this device that runs.
  private var unlock: String? {
    guard let lock = status.lock else { return nil }
    guard lock.device == status.device.id else {
      return database.command("unlock", "--force", lock.id)
    }
    if lock.endsWithProcess { return nil }
    // The edit as it is would be refused.
    if status.obstacle?.error == StoreError.Code.brokenReferences.description {
      return database.command("edit") + " -- sqlite3"
    }
    return status.hasNoWholeDatabase
      ? database.command("unlock", "--discard") : database.command("unlock")
  }

  /// The command that writes out what can be read of a damaged file.
  private func recovery(_ file: QuarantinedFile) -> String {
    database.command("recover", file.id, "-o", "recovered-\(file.id.suffix(6)).sqlite")
  }

  /// The command that helps, if one does.
  private var next: String? {
    if let obstacle = status.obstacle, status.state != .locked {
      return NextCommand.of(obstacle.hint) ?? database.command("doctor")
    }
    if !status.vanished.isEmpty, status.state != .locked { return database.command("sync") }
    if status.state == .synced, let putBack = status.putBack {
      return database.command("restore", putBack.newer.short)
    }
    return switch status.state {
    case .synced where status.unpublished > 0: database.command("sync")
    case .synced, .localOnly:
      status.setAside.merge(database) ?? status.quarantined.last.map(recovery)
    case .locked: unlock
    case .edited, .conflict, .missing: database.command("sync")
    case .damaged, .unavailable: database.command("doctor")
    }
  }
}
