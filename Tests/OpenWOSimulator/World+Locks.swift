import OpenWO

/// The lock files of a device, read without the product: what its judgement of them is held against.
extension World {
  /// The lock that holds on a device, as the files in its folder say; others only ask.
  func lockInFiles(_ device: Device) -> StoreLock? {
    var holder: StoreLock?
    for path in lockPaths {
      guard let file = device.folder[path], isReadable(file) else { continue }
      let lock = locks[file.value]
      if let until = lock.until, until.milliseconds <= now(device) { continue }
      if let holder, isBefore(holder, lock) { continue }
      if !isEnded(lock.id, device) { holder = lock }
    }
    return holder
  }

  private func isBefore(_ lock: StoreLock, _ other: StoreLock) -> Bool {
    (lock.since.milliseconds, lock.device) < (other.since.milliseconds, other.device)
  }

  private func isEnded(_ lock: String, _ device: Device) -> Bool {
    // A device remembers the locks that it has ended, even if no file says so any more.
    device.ended.contains(lock)
      || recordPaths.contains { path in
        guard let file = device.folder[path], isReadable(file) else { return false }
        return records[file.value].revoked.contains(lock)
      }
  }

  /// Whether a lock holds, by its files; the product must say the same.
  func seesLock(_ device: Device) -> String? {
    let (right, found) = (lockInFiles(device)?.id, lockBoard(device).effective?.id)
    if right != found {
      violate(
        .locksKept,
        "\(device.id) goes by \(found ?? "no lock"), where \(right ?? "no lock") holds")
    }
    if right != nil { applied.insert(.lockHeeded) }
    return right
  }
}
