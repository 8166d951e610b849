import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Device files: what each device says of itself, and which locks it has ended.
extension FileCoordinator {
  /// What all devices say of themselves; files that are not theirs are left out; in order of name.
  func deviceRecords() throws -> [DeviceRecord] {
    var known: [FilePath.Component: (FileSignature, DeviceRecord)] = [:]
    let records = try names(in: paths.devices).compactMap { name -> DeviceRecord? in
      let path = paths.devices.appending(name)
      let status = try? files.lstat(path)
      if let (signature, record) = devicesRead[name], signature == status?.signature {
        known[name] = (signature, record)
        return record
      }
      guard let record = try? CompanionFile.read(DeviceRecord.self, at: path, files),
        DeviceIdentity.isID(record.id), name.bytes == Array("\(record.id).json".utf8)
      else { return nil }
      // A file that changed a moment ago may change again without its times showing it.
      if let status, max(status.mtime, status.ctime) / 1_000_000 + 100 < clock.now() {
        known[name] = (status.signature, record)
      }
      return record
    }
    devicesRead = known
    return records.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// The ids of all locks that some device has ended.
  func revocations() throws -> Set<String> {
    Set(try deviceRecords().flatMap(\.revoked) + (said()?.revoked ?? []))
  }

  /// Whether this device has said that it has let go for a lock.
  func hasAcknowledged(_ lock: StoreLock) throws -> Bool {
    let own = try deviceRecords().first { $0.id == device.id }
    return own?.acknowledged.contains { $0.lock == lock.id } ?? false
  }

  /// Changes this device's own record and writes it if that makes a difference.
  func updateOwnRecord(_ change: (inout DeviceRecord) -> Void) throws {
    // Every process of this device writes this file: one at a time.
    try asWriter { try rewriteOwnRecord(change) }
  }

  /// Says that a lock has ended; the word is kept at least as long as anybody's lock file brings it up again.
  func revoke(_ id: String) throws {
    let board = try board()
    let seen = Set((board.standing + board.ended.map(\.lock)).map(\.id))
    try updateOwnRecord { $0.revoke(id, keeping: seen) }
  }

  /// What this device has said once and for all; nil when it has said nothing of that kind, or under another id.
  private func said() -> DeviceRecord? {
    let said = try? CompanionFile.read(DeviceRecord.self, at: state.said, files)
    return said?.id == device.id ? said : nil
  }

  /// Says again what this device has said once and for all, where a service brought an older form of its own file back.
  func repeatOwnWords() throws {
    guard let said = said() else { return }
    let found = try deviceRecords().first { $0.id == device.id }
    var own = found
    own?.repeatWords(of: said)
    if found == nil || own != found { try updateOwnRecord { _ in } }
  }

  private func rewriteOwnRecord(_ change: (inout DeviceRecord) -> Void) throws {
    let path = paths.device(device.id)
    let found = try? CompanionFile.read(DeviceRecord.self, at: path, files)
    var record =
      found
      ?? DeviceRecord(
        format: DeviceRecord.currentFormat, id: device.id, name: device.name, lastSeen: now,
        acknowledged: [], revoked: [])
    let before = found.map { _ in record }
    let said = said()
    if let said { record.repeatWords(of: said) }
    record.name = device.name
    change(&record)
    guard record != before else { return }
    record.lastSeen = now
    if record.revoked != said?.revoked ?? [] || record.policy != said?.policy {
      try CompanionFile.write(record, to: state.said, files)
    }
    try files.makeDirectories(paths.devices)
    try CompanionFile.write(record, to: path, durable: false, files)
  }
}
