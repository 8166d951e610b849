import Foundation
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// A lock as the bytes of its file say, read without the product.
struct LockInFile: Equatable {
  var id: String
  var device: String
  /// In a form whose order is that of time.
  var since: String

  fileprivate init?(_ bytes: [UInt8]?, name: String) {
    guard let words = bytes.flatMap(words(in:)), let id = words["id"] as? String,
      let device = words["device"] as? String, let since = words["since"] as? String,
      name == "\(device).json"
    else { return nil }
    (self.id, self.device, self.since) = (id, device, since)
  }
}

private func words(in bytes: [UInt8]) -> [String: Any]? {
  try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
}

/// I4: what the store does is held against the lock files themselves.
extension World {
  /// The files in the folder of the locks.
  func locks(on device: Device) -> [String] { names("locks", device) }

  private func names(_ part: String, _ device: Device) -> [String] {
    let folder = device.path(Device.companion).appending(part)
    return ((try? device.files.list(folder)) ?? []).map(\.string)
  }

  /// The lock that holds on a device; others only ask.
  func lockInFiles(_ device: Device) -> LockInFile? {
    let locks = locks(on: device).compactMap { name in
      LockInFile(device.bytes("\(Device.companion)/locks/\(name)"), name: name)
    }
    guard !locks.isEmpty else { return nil }
    let ended = endedLocks(device)
    return locks.filter { !ended.contains($0.id) }
      .min { ($0.since, $0.device) < ($1.since, $1.device) }
  }

  /// The locks that some device says have ended, and those that this one has ended itself.
  private func endedLocks(_ device: Device) -> Set<String> {
    // A file that has not arrived says nothing.
    var records = names("devices", device).filter { !$0.hasPrefix(".") }.map {
      device.bytes("\(Device.companion)/devices/\($0)")
    }
    if let pending = device.archive?.folders[0] {
      let said = pending.removingLastComponent().appending("said.json")
      records.append(try? device.files.readSmall(said, limit: 1 << 20))
    }
    let words = records.compactMap { $0.flatMap(words(in:)) }
    return device.ended.union(words.flatMap { $0["revoked"] as? [String] ?? [] })
  }

  /// The live file that another device's lock protects; nil without such a lock.
  func underLock(_ device: Device) throws -> ProtectedFile? {
    guard let lock = lockInFiles(device), "\(lock.device).json" != device.lockName else {
      return nil
    }
    let inode = try device.files.statusIfPresent(device.live)?.inode
    let content = device.bytes(Device.database).map { ContentHash(of: $0) }
    return ProtectedFile(lock: lock, inode: inode, content: content)
  }

  /// A live file, and who holds the lock.
  struct ProtectedFile: Equatable {
    var lock: LockInFile
    var inode: UInt64?
    var content: ContentHash?
  }

  /// The store neither writes into the live file nor replaces it while one and the same lock is
  /// held.
  func checkLock(_ before: ProtectedFile?, _ kind: Step.Kind, _ device: Device) throws {
    guard let before, let after = try underLock(device), before.lock == after.lock else { return }
    if before != after {
      throw Violation(
        description: "I4 the live file was changed under a lock: \(kind) on \(device.name)")
    }
  }
}
