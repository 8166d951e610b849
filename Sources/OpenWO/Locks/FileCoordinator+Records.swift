import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Device files: what each device says of itself, and which locks it has ended.
extension FileCoordinator {
  /// The records of all devices, in order of name; files that are not a device's are left out.
  ///
  /// - Throws: `FileError` if a record may be readable next time, so that the caller does not act
  ///   as if there were no such device.
  func deviceRecords() throws -> [DeviceRecord] {
    let (records, unread) = try readableDevices()
    if let unread { throw unread }
    return records
  }

  /// The same without records that cannot be read just now, and the error of one of them.
  func readableDevices() throws -> (records: [DeviceRecord], unread: FileError?) {
    var known: [FilePath.Component: (FileSignature, DeviceRecord)] = [:]
    var unread: FileError?
    let records = try names(in: paths.devices).compactMap { name -> DeviceRecord? in
      let path = paths.devices.appending(name)
      if Placeholder.name(in: name) != nil {
        unread = FileError(
          .read, path, errno: Errno.staleNFSFileHandle.rawValue,
          detail: "it has not been downloaded")
        return nil
      }
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

  /// Every device of the store whose record can be read.
  func deviceSummaries() throws -> [DeviceSummary] { try readableDevices().records.map(summary) }

  /// This device, with a head of its own if it has no record yet.
  func ownSummary(head: VersionID?) throws -> DeviceSummary {
    try deviceSummaries().first(where: \.isThisDevice)
      ?? DeviceSummary(
        id: device.id, name: device.name, head: head, headSince: nil, lastSeen: now,
        isThisDevice: true)
  }

  /// A device as this one sees it.
  func summary(_ record: DeviceRecord) -> DeviceSummary {
    DeviceSummary(
      id: record.id, name: record.name, head: record.head, headSince: record.headSince,
      lastSeen: record.lastSeen, isThisDevice: record.id == device.id)
  }

  /// This device's record, from its own file.
  private func ownRecord() throws -> DeviceRecord? {
    let own = try words(paths.device(device.id))
    return own?.id == device.id ? own : nil
  }

  /// The ids of all locks that some device has ended.
  func revocations() throws -> Set<String> {
    // If a record cannot be read, its revocations are unknown, and the locks stay active.
    Set(try readableDevices().records.flatMap(\.revoked) + (said()?.revoked ?? []))
  }

  /// The devices that some device has told to be gone for good, and that have not shown themselves since.
  ///
  /// That a device has no file says nothing: a service may bring it later than its versions, or have lost it.
  func forgotten() throws -> Set<String> {
    let (records, unread) = try readableDevices()
    // The unreadable file may be that of a device that has come back.
    guard unread == nil else { return [] }
    let words = try records.flatMap { $0.forgotten ?? [] } + (said()?.forgotten ?? [])
    let shown = Dictionary(records.map { ($0.id, $0.lastSeen) }) { first, _ in first }
    return Set(
      words.lazy.filter { shown[$0.device] == nil || shown[$0.device] == $0.lastSeen }.map(\.device)
    )
  }

  /// Whether this device has acknowledged a lock.
  func hasAcknowledged(_ lock: StoreLock) throws -> Bool {
    // If it cannot be read, acknowledge once more.
    let own = try? ownRecord()
    return own?.acknowledged.contains { $0.lock == lock.id } ?? false
  }

  /// Changes this device's own record and writes it if that makes a difference.
  func updateOwnRecord(_ change: (inout DeviceRecord) -> Void) throws {
    // Every process of this device writes this file: one at a time.
    try asWriter { try rewriteOwnRecord(change) }
  }

  /// Records that a lock has ended; the record is kept at least as long as a lock file for it may
  /// come back.
  func revoke(_ id: String) throws {
    let board = try board()
    let seen = Set((board.standing + board.ended.map(\.lock)).map(\.id))
    try updateOwnRecord { $0.revoke(id, keeping: seen) }
  }

  /// The backup of this device's lasting statements; nil if there are none, or it has another id.
  private func said() throws -> DeviceRecord? {
    let said = try words(state.said)
    return said?.id == device.id ? said : nil
  }

  /// Rewrites this device's record if the service restored an older form of it.
  func repeatOwnWords() throws {
    guard let said = try said() else { return }
    let found = try ownRecord()
    var own = found
    own?.repeatWords(of: said)
    if found == nil || own != found { try updateOwnRecord { _ in } }
  }

  /// The record in a device file; nil if there is none, or it cannot be decoded.
  ///
  /// - Throws: `FileError` if it may be readable next time: the device must not count as silent.
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
    // If it cannot be read it is written again; `said` has what must not be forgotten.
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
