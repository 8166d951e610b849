import OpenWOFiles
import SystemPackage

/// Removing what processes that were killed have left.
extension Store {
  /// Temporary files older than this, in nanoseconds, are abandoned.
  private static var abandonedAfter: Int64 { 3_600_000_000_000 }

  /// Temporary files older than this moment, in nanoseconds, are abandoned.
  var abandonedBefore: Int64 {
    Int64.nanoseconds(milliseconds: clock.now()).minus(Self.abandonedAfter)
  }

  /// Removes abandoned staging files and scratch files; a file that cannot be removed now is
  /// removed another time.
  ///
  /// Staging files beside the database are not among them: they may hold the outgoing file of a
  /// swap, and are judged.
  func sweepAbandoned() {
    for path in abandoned() { try? files.unlink(path) }
  }

  /// The files that ``sweepAbandoned()`` removes.
  func abandoned() -> [FilePath] {
    let folders = [
      paths.companion, paths.devices, paths.locks, state.root, state.quarantine, state.unproven,
      state.heads,
    ]
    return abandonedVersions()
      + folders.flatMap { abandoned(in: $0, where: AtomicFile.isStaging) }
      + abandoned(in: state.scratch) { !VersionStore.isPrivateCopy($0) }
      + abandoned(in: paths.stateRoot) {
        AtomicFile.isStaging($0) || $0.string.hasPrefix("new-")
      }
  }

  /// Those among the version files, as they were listed: there may be thousands of names.
  private func abandonedVersions() -> [FilePath] {
    let problems = (try? versions.listed().archive.problems) ?? []
    return abandoned(
      among: problems.lazy.filter { $0.reason == .staging }.map(\.path).filter {
        $0.lastComponent.map(AtomicFile.isStaging) ?? false
      })
  }

  private func abandoned(
    in folder: FilePath, where passes: (FilePath.Component) -> Bool
  ) -> [FilePath] {
    abandoned(
      among: ((try? files.list(folder, where: passes)) ?? []).map { folder.appending($0) })
  }

  private func abandoned(among paths: some Sequence<FilePath>) -> [FilePath] {
    let latest = abandonedBefore
    return paths.filter { path in
      guard let status = try? files.lstat(path) else { return false }
      return status.kind == .regular && status.mtime < latest
    }
  }
}
