import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Publishing: captured versions go where the service takes them to the other devices.
extension Store {
  /// Whether it is time to publish what waits, whichever process of this device has captured it.
  func isPublishDue(_ listing: VersionListing) -> Bool {
    guard !listing.pending.isEmpty else { return false }
    guard case .debounced(let seconds) = configuration.publishing else { return true }
    guard let since = unpublishedSince else { return hasRested(listing, seconds) }
    // A writer that never rests is published all the same, less often.
    return isQuiet(since: lastUse, seconds: seconds)
      || isQuiet(since: since, seconds: Int(Int64(seconds).times(10)))
  }

  /// Whether what another process has captured has waited so long that it may be gone.
  private func hasRested(_ listing: VersionListing, _ seconds: Int) -> Bool {
    listing.waitingFiles.allSatisfy { file in
      guard let captured = try? files.lstat(file.path).mtime else { return true }
      return now.milliseconds.minus(captured / 1_000_000) >= Int64(seconds).times(1000)
    }
  }

  /// Whether so many seconds went by since a moment of the monotonic clock.
  func isQuiet(since moment: Int64, seconds: Int) -> Bool {
    clock.monotonic().minus(moment) >= Int64(seconds).times(1_000_000_000)
  }

  /// Puts every captured version into the companion, parents first.
  ///
  /// The version stands durably in the companion before it leaves the state folder, so a crash in between leaves both, which is the same
  /// version twice and harmless.
  func publish() throws {
    try asWriter {
      if try publishWaiting() { pruneIfWorthwhile() }
    }
  }

  /// Publishes and removes nothing; answers whether anything waited.
  func publishWaiting() throws -> Bool {
    unpublishedSince = nil
    changedSinceBase = nil
    baseReader = nil
    let waiting = try versions().waiting
    guard !waiting.isEmpty else { return false }
    // A service may just have put the file of a store in its place that this one is joined with.
    try? followManifest()
    try companion.inside(paths.versions, mode: 0o755) { within in
      for file in waiting {
        try AtomicFile.copy(
          file.path, to: paths.versions.appending(file.fileName), fileSystem: within)
        try files.unlink(file.path)
        events.send(.published(file.version.id))
      }
    }
    try listVersions()
    try announceHead()
    return true
  }

  /// Tells the other devices which version this one has.
  func announceHead() throws {
    let current = record?.current
    try coordinator.updateOwnRecord { own in
      guard own.head != current else { return }
      own.head = current
      own.headSince = now
    }
    keepHead()
  }
}
