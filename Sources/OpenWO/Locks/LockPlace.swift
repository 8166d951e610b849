import OpenWOFiles
import OpenWOHistory

/// Where the holder of a lock has the store: enough to tell whether two devices share one folder.
///
/// Containers and users of one machine, and machines with one network mount, may share the same
/// file.
package struct LockPlace: Sendable, Hashable, Codable {
  /// A hash of the machine's id, which itself is private; empty if it has none.
  package var machine: String
  /// The id of the machine's boot; empty if it has none.
  package var boot: String
  /// The number of the companion's file system on that machine.
  package var device: UInt64
  /// The number of the companion there.
  package var inode: UInt64

  /// The place of a store as this process sees it; nil if it cannot be seen.
  init?(of paths: StorePaths, _ files: FileSystem) {
    guard let status = try? files.lstat(paths.companion) else { return nil }
    let id = Machine.machineID
    machine =
      id.isEmpty ? "" : String(Digest(hashing: Array("openwo lock \(id)".utf8)).hex.prefix(16))
    boot = Machine.bootID
    (device, inode) = (status.device, status.inode)
  }

  /// Whether both are one folder of one machine.
  func isSameFolder(as other: LockPlace) -> Bool {
    let isSameBoot = !boot.isEmpty && boot == other.boot
    guard isSameBoot || !machine.isEmpty && machine == other.machine else { return false }
    // The kernel numbers file systems again at every boot.
    return inode == other.inode && (device == other.device || !isSameBoot)
  }
}

extension StoreLock {
  /// Whether its holder may have this very file, as on one network mount.
  func mayReach(_ paths: StorePaths, _ files: FileSystem) -> Bool {
    guard let here = LockPlace(of: paths, files) else { return true }
    if let place, place.boot == here.boot { return place.isSameFolder(as: here) }
    if Machine.isNetworkFileSystem(paths.folder) { return true }
    if let place { return place.isSameFolder(as: here) }
    // An older openwo does not say where it is.
    return process.map { $0.bootID == here.boot } ?? (host == Machine.hostName)
  }
}
