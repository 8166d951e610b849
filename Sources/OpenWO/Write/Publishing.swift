import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Publishing: captured versions move into the companion, from which the service takes them to
/// other devices.
struct Publishing: StorePart {
  let store: Store

  /// Whether it is time to publish pending versions, whichever process of this device captured
  /// them.
  func isDue(_ listing: VersionListing) -> Bool {
    guard !listing.pending.isEmpty else { return false }
    guard case .debounced(let seconds) = configuration.publishing else { return true }
    guard let since = store.upkeep.unpublishedSince else { return hasRested(listing, seconds) }
    // Versions of a writer that never pauses are published all the same, less often.
    return isQuiet(since: store.upkeep.lastUse, seconds: seconds)
      || isQuiet(since: since, seconds: Int(Int64(seconds).times(10)))
  }

  /// Whether versions that another process captured have waited so long that the process may be
  /// gone.
  private func hasRested(_ listing: VersionListing, _ seconds: Int) -> Bool {
    listing.waitingFiles.allSatisfy { file in
      guard let captured = try? files.lstat(file.path).mtime else { return true }
      return now.milliseconds.minus(captured / 1_000_000) >= Int64(seconds).times(1000)
    }
  }

  /// Whether this many seconds have passed since a moment of the monotonic clock.
  private func isQuiet(since moment: Int64, seconds: Int) -> Bool {
    clock.monotonic().minus(moment) >= Int64(seconds).times(1_000_000_000)
  }

  /// Puts every captured version into the companion, parents first.
  ///
  /// The version is durable in the companion before it leaves the state folder. A crash in between
  /// leaves the same version twice, which is harmless.
  func run() throws {
    try store.asWriter {
      if try runWithoutPruning() { Pruning(store: store).runIfWorthwhile() }
    }
  }

  /// Publishes without pruning; returns whether any version was pending.
  func runWithoutPruning() throws -> Bool {
    versions.burst.end()
    let waiting = try versions.listed().waiting
    guard !waiting.isEmpty else {
      store.upkeep.publishedAll()
      return false
    }
    // The service may just have replaced `store.json` by that of a store with which this one is
    // joined.
    try? ManifestKeeper(store: store).follow()
    try companion.inside(paths.versions, mode: 0o755) { within in
      for file in waiting {
        try AtomicFile.copy(
          file.path, to: paths.versions.appending(file.fileName), fileSystem: within)
        try files.unlink(file.path)
        events.send(.published(file.version.id))
      }
    }
    store.upkeep.publishedAll()
    try versions.list()
    try announceHead()
    return true
  }

  /// Announces to the other devices which version this one has.
  func announceHead() throws {
    let current = workingCopy.current
    try coordinator.updateOwnRecord { own in
      guard own.head != current else { return }
      own.head = current
      own.headSince = now
    }
    versions.keepHead(workingCopy.current)
  }
}
