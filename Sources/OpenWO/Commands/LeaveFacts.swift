import OpenWOHistory

/// What keeps a device from leaving a store.
struct LeaveFacts {
  let paths: StorePaths
  let device: String
  var lock: StoreLock?
  /// Other devices of the store.
  var others: [DeviceRecord] = []
  /// A side with rows that are not in the database, and a copy of which that is not known.
  var unmerged: MergeSource?
  var copyNotWhole: ConflictedCopy?
  /// A damaged file that is kept on this device.
  var keptAside: QuarantinedFile?

  /// Refuses if somebody has the lock, or if something would be lost or out of sight.
  func decide(removingVersions: Bool, evenUnmerged: Bool) throws {
    if let lock { throw StoreError.isLocked(by: lock, isOurs: lock.device == device, paths) }
    if removingVersions, let other = others.first { throw StoreError.stillUsed(by: other, paths) }
    if evenUnmerged { return }
    if let unmerged { throw StoreError.unmerged(unmerged, paths) }
    if let copyNotWhole { throw StoreError.unmerged(copyNotWhole, paths) }
    if let keptAside { throw StoreError.keptAside(keptAside, paths) }
  }
}
