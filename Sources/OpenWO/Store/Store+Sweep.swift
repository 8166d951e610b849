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
    let folders = [
      paths.companion, paths.versions, paths.devices, paths.locks, state.root, state.pending,
      state.quarantine, state.unproven, state.heads,
    ]
    for folder in folders { sweep(folder, where: AtomicFile.isStaging) }
    sweep(state.scratch) { !Self.isPrivateCopy($0) }
    sweep(paths.stateRoot) { AtomicFile.isStaging($0) || $0.string.hasPrefix("new-") }
  }

  private func sweep(_ folder: FilePath, where passes: (FilePath.Component) -> Bool) {
    let latest = abandonedBefore
    for name in (try? files.list(folder, where: passes)) ?? [] {
      let path = folder.appending(name)
      guard let status = try? files.lstat(path), status.kind == .regular, status.mtime < latest
      else { continue }
      try? files.unlink(path)
    }
  }
}
