import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Keeping the archive small: old versions go, what has rows that no later one has and all that a device still needs stay.
extension Store {
  /// A device that was not seen for so long, in seconds, is not waited for any more.
  private static var forgottenAfter: Int64 { 365 * 24 * 3600 }

  /// So long, in seconds, nothing is removed that a version may rest on which has not arrived as a whole.
  private static var awaitedFor: Int64 { 7 * 24 * 3600 }

  /// More files than this in the companion, and old ones are looked for after a publish.
  private static var manyFiles: Int { 256 }

  /// Removes the versions that the retention does not keep, or says which they are.
  func prune(dryRun: Bool) throws -> PruneReport {
    // Nobody of this device may rest a new version on one that is about to go.
    try asWriter {
      let listing = try listVersions()
      guard try !isAwaiting(listing) else { return PruneReport(removed: [], files: 0, bytes: 0) }
      let heads = try deviceHeads(listing)
      // What lost to another writer, or was undone, has rows that no later version has.
      let tips = Lineage.ofRows(listing.graph).tips.map(\.id)
      let plan = RetentionPlan(
        configuration.retention, listing.archive, in: paths.versions, deviceHeads: heads,
        protected: listing.pending.union(tips).union([record?.current].compactMap(\.self)))
      if !dryRun && !plan.isEmpty {
        try archive.prune(plan, in: paths.versions, listing.archive)
        try listVersions()
      }
      return PruneReport(
        removed: plan.forgotten.map(\.id), files: plan.remove.count,
        bytes: plan.remove.reduce(0) { $0 + $1.fileSize })
    }
  }

  /// Whether a version came before what it rests on, which itself may rest on anything.
  ///
  /// It may have been made long before it came, by a device that was away, or on a clock that is far ahead.
  private func isAwaiting(_ listing: VersionListing) throws -> Bool {
    try listing.archive.stored.contains { file in
      let id = file.version.id
      guard listing.incomplete.contains(id), !listing.graph.isPruned(id) else { return false }
      guard let status = try files.statusIfPresent(file.path) else { return true }
      let arrived = Timestamp(nanoseconds: status.ctime).milliseconds
      return !hasPassed(Self.awaitedFor, since: arrived, listing)
    }
  }

  /// Whether so many seconds have gone by since a moment, and not on a clock that jumped: something was written meanwhile.
  private func hasPassed(_ seconds: Int64, since: Int64, _ listing: VersionListing) -> Bool {
    let (duration, now) = (seconds * 1000, now.milliseconds)
    let margin = duration / 12
    guard now - since > duration else { return false }
    return listing.graph.versions.contains { version in
      (since + margin...now - margin).contains(version.at.milliseconds)
    }
  }

  /// The versions that the devices have live, as far as that is known: one whose own file is not in sight stands where it last wrote.
  private func deviceHeads(_ listing: VersionListing) throws -> [VersionID] {
    func isForgotten(_ since: Int64) -> Bool {
      hasPassed(Self.forgottenAfter, since: since, listing)
    }
    let records = try coordinator.deviceRecords()
    let unseen = listing.devices.subtracting(records.map(\.id))
      .subtracting([Version.settleDevice, Version.mergeDevice])
    let written = Dictionary(
      grouping: listing.graph.versions.filter { unseen.contains($0.device) }, by: \.device)
    let last = written.values.compactMap { listing.graph.winner(among: $0) }
    return records.filter { !isForgotten($0.lastSeen.milliseconds) }.compactMap(\.head)
      + last.filter { !isForgotten($0.at.milliseconds) }.map(\.id)
  }

  /// Prunes after a publish when it is worth the look; what cannot be removed now is removed another time.
  func pruneIfWorthwhile() {
    guard let stored = listing?.archive.stored, stored.count > Self.manyFiles,
      stored.count % 32 == 0
    else { return }
    _ = try? prune(dryRun: false)
  }
}
