import OpenWOFiles
import SystemPackage

/// The temporary files that processes that were killed have left.
struct AbandonedFiles: StorePart {
  let store: Store

  /// Temporary files older than this, in nanoseconds, are abandoned.
  private static var age: Int64 { 3_600_000_000_000 }

  /// Temporary files older than this moment, in nanoseconds, are abandoned.
  var latest: Int64 { Int64.nanoseconds(milliseconds: clock.now()).minus(Self.age) }

  /// Removes them; a file that cannot be removed now is removed another time.
  ///
  /// Staging files beside the database are not among them: they may hold the outgoing file of a
  /// swap, and are judged.
  func sweep() {
    for path in all() { try? files.unlink(path) }
  }

  /// The staging files and scratch files that ``sweep()`` removes.
  func all() -> [FilePath] {
    let folders = [
      paths.companion, paths.devices, paths.locks, state.root, state.quarantine, state.unproven,
      state.heads,
    ]
    return versionFiles()
      + folders.flatMap { abandoned(in: $0, where: AtomicFile.isStaging) }
      + abandoned(in: state.scratch) { !VersionStore.isPrivateCopy($0) }
      + abandoned(in: paths.stateRoot) {
        AtomicFile.isStaging($0) || $0.string.hasPrefix("new-")
      }
  }

  /// Those among the version files, as they were listed: there may be thousands of names.
  private func versionFiles() -> [FilePath] {
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
    let latest = latest
    return paths.filter { path in
      guard let status = try? files.lstat(path) else { return false }
      return status.kind == .regular && status.mtime < latest
    }
  }
}
