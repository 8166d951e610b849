import OpenWOFiles
import OpenWOHistory

/// Forgetting devices that are gone for good.
extension Store {
  /// Removes another device's file, after its words that still count are said in this device's own.
  func forget(device word: String, dryRun: Bool) throws -> DeviceSummary {
    let records = try coordinator.deviceRecords()
    let named = records.filter { $0.id == word || $0.name == word }
    let found =
      named.isEmpty && word.utf8.count >= 4 ? records.filter { $0.id.hasPrefix(word) } : named
    let others = found.filter { $0.id != device.id }
    if others.isEmpty, let absent = try absent(word, records) {
      if !dryRun { try say(DeviceRecord.Gone(device: absent.id, lastSeen: nil)) }
      return absent
    }
    guard let gone = others.first, others.count == 1 else {
      throw StoreError.noSuchDevice(word, isThis: !found.isEmpty, count: others.count, paths)
    }
    let board = try coordinator.board()
    if let lock = board.standing.first(where: { $0.device == gone.id }) {
      throw StoreError.isLocked(by: lock, isOurs: false, paths)
    }
    let summary = summary(gone)
    if dryRun { return summary }
    // A lock that only the other device has ended would be active again.
    let inSight = Set((board.standing + board.ended.map(\.lock)).map(\.id))
    for lock in gone.revoked where inSight.contains(lock) { try coordinator.revoke(lock) }
    let latest = records.compactMap(\.policy).max { $0.at < $1.at }
    if let policy = gone.policy, policy == latest {
      try coordinator.updateOwnRecord { $0.policy = policy }
    }
    let names = try pinWords()
    for pin in gone.pins ?? [] where names[pin.name] == pin {
      try coordinator.updateOwnRecord { $0.note(pin) }
    }
    try say(DeviceRecord.Gone(device: gone.id, lastSeen: gone.lastSeen))
    try companion.inside(paths.devices) { within in try within.unlink(paths.device(gone.id)) }
    return summary
  }

  private func say(_ gone: DeviceRecord.Gone) throws {
    try coordinator.updateOwnRecord { $0.note(gone) }
  }

  /// A device whose file has not arrived, or is lost, and that made a version which is not whole.
  private func absent(_ word: String, _ records: [DeviceRecord]) throws -> DeviceSummary? {
    let listing = try versions.listed()
    let known = Set(records.map(\.id)).union([device.id])
    let graph = listing.graph
    let makers = listing.incomplete.compactMap { graph[$0] }.flatMap { version in
      graph.makers(of: version.id).map { ($0, version.madeAt) }
    }
    let named = makers.filter { maker, _ in
      !known.contains(maker.id) && (maker.id == word || maker.name == word)
    }
    guard let ((id, name), last) = named.max(by: { $0.1 < $1.1 }),
      Set(named.map(\.0.id)).count == 1
    else { return nil }
    return DeviceSummary(
      id: id, name: name, head: nil, headSince: nil, lastSeen: last, isThisDevice: false)
  }
}

extension StoreError {
  static func noSuchDevice(
    _ word: String, isThis: Bool, count: Int, _ paths: StorePaths
  ) -> StoreError {
    let name = String(printable: word.utf8)
    let what =
      switch count {
      case 0 where isThis: "\(name) is this device, which cannot forget itself"
      case 0: "no device is called \(name)"
      default: "\(count) devices are called \(name); name one by its id"
      }
    return StoreError(
      .usage, "\(what); nothing was changed",
      advice: paths.next("see their ids", .listDevices))
  }
}
