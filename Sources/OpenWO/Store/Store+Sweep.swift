import OpenWOFiles
import SystemPackage

/// Removing what processes that were killed have left.
extension Store {
  /// Nobody takes so long to write a file, in nanoseconds.
  private static var abandonedAfter: Int64 { 3_600_000_000_000 }

  /// Whoever touched a file before this moment, in nanoseconds, has done with it.
  var abandonedBefore: Int64 {
    Int64.nanoseconds(milliseconds: clock.now()).minus(Self.abandonedAfter)
  }

  /// Removes staging files and scratch files that nobody writes any more; what cannot be removed now is removed another time.
  ///
  /// Staging files beside the database are not among them: they may hold what came out of a swap, and are judged.
  func sweepAbandoned() {
    for path in abandoned() { try? files.unlink(path) }
  }

  /// What ``sweepAbandoned()`` removes.
  func abandoned() -> [FilePath] {
    let folders = [
      paths.companion, paths.versions, paths.devices, paths.locks, state.root, state.pending,
      state.quarantine, state.unproven, state.heads,
    ]
    return folders.flatMap { abandoned(in: $0, where: AtomicFile.isStaging) }
      + abandoned(in: state.scratch) { !Self.isPrivateCopy($0) }
      + abandoned(in: paths.stateRoot) {
        AtomicFile.isStaging($0) || $0.string.hasPrefix("new-")
      }
  }

  private func abandoned(
    in folder: FilePath, where passes: (FilePath.Component) -> Bool
  ) -> [FilePath] {
    let latest = abandonedBefore
    return ((try? files.list(folder, where: passes)) ?? []).map { folder.appending($0) }
      .filter { path in
        guard let status = try? files.lstat(path) else { return false }
        return status.kind == .regular && status.mtime < latest
      }
  }
}
