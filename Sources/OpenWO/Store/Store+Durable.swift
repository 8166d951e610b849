import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Making durable what a service has brought.
///
/// A service does not wait for the disk, so what came from another device may be gone after a power failure, and with it every version of this
/// device that rests on it.
extension Store {
  /// Makes the files durable that hold a content, as far as other devices wrote them.
  ///
  /// The live version was made durable when it was recorded.
  func makeDurable(_ content: ContentHash) throws {
    guard content != record?.content, !durable.contains(content) else { return }
    try makeDurable(versions().archive.chain(content))
    durable.insert(content)
  }

  /// Makes a version durable that the live file is about to be a copy of, as far as other devices wrote it.
  func makeDurable(_ version: Version) throws {
    guard record?.current != version.id else { return }
    let archive = try versions().archive
    let own = archive.stored.filter { $0.version.id == version.id }
    // A content that is not here is read from the live file, and stored in full before that is replaced.
    try makeDurable(own + ((try? archive.chain(version.content)) ?? []))
    durable.insert(version.content)
  }

  private func makeDurable(_ stored: [StoredVersion]) throws {
    let arrived = stored.filter { $0.folder == paths.versions && $0.version.device != device.id }
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
