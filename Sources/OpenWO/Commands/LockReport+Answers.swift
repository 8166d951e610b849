import OpenWOHistory

/// What the other devices have answered to a lock.
extension LockReport {
  /// Tells which of the recently seen devices have acknowledged a lock.
  init(_ lock: StoreLock, in store: Store) throws {
    let others = try store.coordinator.readableDevices().records.filter { $0.id != lock.device }
    let answered = others.filter { $0.acknowledged.contains { $0.lock == lock.id } }
    let lately = others.filter { $0.wasSeenLately(at: store.now) }
    let silent = lately.filter { other in !answered.contains { $0.id == other.id } }
    let graph = try store.versions.listed().graph
    let start = lock.head ?? store.workingCopy.current
    let ahead = lately.filter { $0.head.map { graph.isNewer($0, than: start) } ?? false }
    let summary = store.coordinator.summary
    self.init(
      lock: lock, acknowledgedBy: answered.map(summary), waitingFor: silent.map(summary),
      newerOn: ahead.map(summary))
  }

  /// The other devices that a lock would wait for.
  static func othersSeenLately(in store: Store) throws -> [DeviceRecord] {
    try store.coordinator.deviceRecords().filter {
      $0.id != store.device.id && $0.wasSeenLately(at: store.now)
    }
  }
}

extension VersionGraph {
  /// Whether a device's version is one that has not arrived, or one that counts and was not made from what this device has.
  fileprivate func isNewer(_ head: VersionID, than start: VersionID?) -> Bool {
    guard let start, contains(head) else { return true }
    return head != start
      && effectiveHeads.contains { $0.members.contains { $0.id == head } }
  }
}

extension DeviceRecord {
  fileprivate func wasSeenLately(at now: Timestamp) -> Bool {
    lastSeen >= now.advanced(bySeconds: -30 * 24 * 3600)
  }
}
