import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Making durable what a service has brought.
///
/// A service does not wait for the disk, so what came from another device may be gone after a power failure, and with it every version of this
/// device that rests on it.
extension VersionStore {
  /// Makes the files durable that hold a content, as far as another device than this one wrote them.
  func makeDurable(_ content: ContentHash, besides device: String) throws {
    guard !durable.contains(content) else { return }
    try makeDurable(listed().archive.chain(content), besides: device)
    durable.insert(content)
  }

  /// Makes the files durable that hold a version and its content, as far as another device wrote them.
  func makeDurable(_ version: Version, besides device: String) throws {
    let archive = try listed().archive
    let own = archive.stored.filter { $0.version.id == version.id }
    // A content that is not here is read from the live file, and stored in full before that is replaced.
    try makeDurable(own + ((try? archive.chain(version.content)) ?? []), besides: device)
    durable.insert(version.content)
  }

  private func makeDurable(_ stored: [StoredVersion], besides device: String) throws {
    let arrived = stored.filter { $0.folder == paths.versions && $0.version.device != device }
    guard !arrived.isEmpty else { return }
    for file in Set(arrived) { try makeDurable(file.path) }
    try files.syncFolder(paths.versions)
  }

  /// Does nothing if the service has just removed the file; its reader gets an error.
  private func makeDurable(_ path: FilePath) throws {
    guard try files.statusIfPresent(path) != nil else { return }
    let (descriptor, _) = try files.openRegular(path)
    try files.fsync(descriptor)
  }
}
