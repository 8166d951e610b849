import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Device files: what each device says of itself, and which locks it has ended.
extension FileCoordinator {
  /// What all devices say of themselves; files that are not theirs are left out; in order of name.
  ///
  /// - Throws: `FileError` where one may be readable the next time: who asks must not go on as if there were no such device.
  func deviceRecords() throws -> [DeviceRecord] {
    let (records, unread) = try readableDevices()
    if let unread { throw unread }
    return records
  }

  /// The same without those that cannot be read just now, and why that is so of one of them.
  func readableDevices() throws -> (records: [DeviceRecord], unread: FileError?) {
    var known: [FilePath.Component: (FileSignature, DeviceRecord)] = [:]
    var unread: FileError?
    let records = try names(in: paths.devices).compactMap { name -> DeviceRecord? in
      let path = paths.devices.appending(name)
      do {
        let status = try files.statusIfPresent(path)
        if let (signature, record) = devicesRead[name], signature == status?.signature {
          known[name] = (signature, record)
          return record
        }
        guard let record = try words(path), DeviceIdentity.isID(record.id),
          name.bytes == Array("\(record.id).json".utf8)
        else { return nil }
        // A file that changed a moment ago may change again without its times showing it.
        if let status, max(status.mtime, status.ctime) / 1_000_000 + 100 < clock.now() {
          known[name] = (status.signature, record)
        }
        return record
      } catch let error as FileError {
        unread = error
        return nil
      }
    }
    devicesRead = known
    return (records.sorted { ($0.name, $0.id) < ($1.name, $1.id) }, unread)
  }

  /// What this device's own file says.
  private func ownRecord() throws -> DeviceRecord? {
    let own = try words(paths.device(device.id))
    return own?.id == device.id ? own : nil
  }

  /// The ids of all locks that some device has ended.
  func revocations() throws -> Set<String> {
    // A lock of whose end nobody can be told just now stands.
    Set(try readableDevices().records.flatMap(\.revoked) + (said()?.revoked ?? []))
  }

  /// The devices that some device has told to be gone for good, and that have not shown themselves since.
  ///
  /// That a device has no file says nothing: a service may bring it later than its versions, or have lost it.
  func forgotten() throws -> Set<String> {
    let (records, unread) = try readableDevices()
    // The file that cannot be read just now may be that of a device that has come back.
    guard unread == nil else { return [] }
    let words = try records.flatMap { $0.forgotten ?? [] } + (said()?.forgotten ?? [])
    let shown = Dictionary(records.map { ($0.id, $0.lastSeen) }) { first, _ in first }
    return Set(
      words.lazy.filter { shown[$0.device] == nil || shown[$0.device] == $0.lastSeen }.map(\.device)
    )
  }

  /// Whether this device has said that it has let go for a lock.
  func hasAcknowledged(_ lock: StoreLock) throws -> Bool {
    // What cannot be read is said once more.
    let own = try? ownRecord()
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
  private func said() throws -> DeviceRecord? {
    let said = try words(state.said)
    return said?.id == device.id ? said : nil
  }

  /// Says again what this device has said once and for all, where a service brought an older form of its own file back.
  func repeatOwnWords() throws {
    guard let said = try said() else { return }
    let found = try ownRecord()
    var own = found
    own?.repeatWords(of: said)
    if found == nil || own != found { try updateOwnRecord { _ in } }
  }

  /// What a device's file says; nil where there is none, or none that can be read.
  ///
  /// - Throws: `FileError` when it may be readable the next time: a device must not count as one that says nothing.
  private func words(_ path: FilePath) throws -> DeviceRecord? {
    do {
      return try CompanionFile.read(DeviceRecord.self, at: path, files)
    } catch let error as FileError where error.isTransient {
      throw error
    } catch {
      return nil
    }
  }

  private func rewriteOwnRecord(_ change: (inout DeviceRecord) -> Void) throws {
    let path = paths.device(device.id)
    // Where it cannot be read it is written anew; what must not be forgotten stands in `said`.
    let found = try? words(path)
    var record =
      found
      ?? DeviceRecord(
        format: DeviceRecord.currentFormat, id: device.id, name: device.name, lastSeen: now,
        acknowledged: [], revoked: [])
    let before = found.map { _ in record }
    let said = try said()
    if let said { record.repeatWords(of: said) }
    record.name = device.name
    change(&record)
    guard record != before else { return }
    record.lastSeen = now
    if record.revoked != said?.revoked ?? [] || record.policy != said?.policy
      || record.pins != said?.pins || record.forgotten != said?.forgotten
    {
      try CompanionFile.write(record, to: state.said, files)
    }
    try companion.inside(paths.devices) { within in
      try CompanionFile.write(record, to: path, durable: false, within)
    }
  }
}
