import OpenWOFiles
import OpenWOHistory

/// Forgetting a device that is gone for good.
struct Forgetting: StoreCommand {
  let store: Store

  /// Removes another device's file, after its words that still count are said in this device's own.
  func run(device word: String, dryRun: Bool) throws -> DeviceSummary {
    let board = try coordinator.board()
    let seen = try facts(board)
    switch try seen.decide(word) {
    case .absent(let id, let name, let lastSeen):
      if !dryRun { try say(DeviceRecord.Gone(device: id, lastSeen: nil)) }
      return DeviceSummary(
        id: id, name: name, head: nil, headSince: nil, lastSeen: lastSeen, isThisDevice: false)
    case .known(let gone):
      let summary = coordinator.summary(gone)
      if !dryRun { try remove(gone, among: seen.records, board) }
      return summary
    }
  }

  private func facts(_ board: LockBoard) throws -> ForgetFacts {
    let listing = try versions.listed()
    let makers = listing.incomplete.compactMap { listing.graph[$0] }.flatMap { version in
      listing.graph.makers(of: version.id).map { ($0.id, $0.name, version.madeAt) }
    }
    return ForgetFacts(
      paths: paths, device: store.device.id, records: try coordinator.deviceRecords(),
      makers: makers, locks: board.standing)
  }

  private func remove(
    _ gone: DeviceRecord, among records: [DeviceRecord], _ board: LockBoard
  ) throws {
    // A lock that only the other device has ended would be active again.
    let inSight = Set((board.standing + board.ended.map(\.lock)).map(\.id))
    for lock in gone.revoked where inSight.contains(lock) { try coordinator.revoke(lock) }
    let latest = records.compactMap(\.policy).max { $0.at < $1.at }
    if let policy = gone.policy, policy == latest {
      try coordinator.updateOwnRecord { $0.policy = policy }
    }
    let names = try Pins(store: store).words()
    for pin in gone.pins ?? [] where names[pin.name] == pin {
      try coordinator.updateOwnRecord { $0.note(pin) }
    }
    try say(DeviceRecord.Gone(device: gone.id, lastSeen: gone.lastSeen))
    try store.companion.inside(paths.devices) { within in
      try within.unlink(paths.device(gone.id))
    }
  }

  private func say(_ gone: DeviceRecord.Gone) throws {
    try coordinator.updateOwnRecord { $0.note(gone) }
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
