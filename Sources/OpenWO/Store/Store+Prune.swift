import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Keeping the archive small: old versions go, what has rows that no later one has and all that a device still needs stay.
extension Store {
  /// A device that was not seen for this time, in seconds, is no longer waited for.
  private static var forgottenAfter: Int64 { 365 * 24 * 3600 }

  /// So long, in seconds, nothing is removed that a version may rest on which has not arrived as a whole.
  private static var awaitedFor: Int64 { 7 * 24 * 3600 }

  /// More files than this in the companion, and old ones are looked for after a publish.
  private static var manyFiles: Int { 256 }

  /// Removes the versions that the retention does not keep, or says which they are.
  ///
  /// `counts` replace those of the configuration.
  func prune(dryRun: Bool, keeping counts: KeptCounts? = nil) throws -> PruneReport {
    let retention =
      counts.map {
        Retention(
          last: $0.last, hourly: $0.hourly, daily: $0.daily, weekly: $0.weekly,
          monthly: $0.monthly)
      } ?? configuration.retention
    // No process of this device may base a new version on one that is about to be removed.
    return try asWriter {
      let listing = try versions.list()
      guard try !isAwaiting(listing) else {
        return PruneReport(removed: [], files: 0, bytes: 0, waits: true)
      }
      let deviceHeads = try deviceHeads(listing)
      let unmerged = mergeable(listing, deviceHeads)
      let pinned = Set(try pins().values)
      let plan = RetentionPlan(
        retention, listing.archive, in: paths.versions,
        deviceHeads: deviceHeads,
        protected: listing.pending.union(unmerged).union(pinned)
          .union([workingCopy.current].compactMap(\.self)))
      let kept = self.kept(
        plan, listing, retention.reasons(listing.archive.versions), unmerged, pinned)
      if !dryRun && !plan.isEmpty {
        try companion.inside(paths.versions, mode: 0o755) { within in
          try versions.archive.through(within).prune(plan, in: paths.versions, listing.archive)
        }
        try versions.list()
      }
      return PruneReport(
        removed: plan.forgotten.map(\.id), files: plan.remove.count,
        bytes: plan.remove.reduce(0) { $0 + $1.fileSize }, kept: kept)
    }
  }

  /// The versions that stay, and why.
  private func kept(
    _ plan: RetentionPlan, _ listing: VersionListing, _ counted: [VersionID: [String]],
    _ unmerged: Set<VersionID>, _ pinned: Set<VersionID>
  ) -> [PruneReport.Kept] {
    let heads = Set(listing.graph.effectiveHeads.flatMap(\.members).map(\.id))
    let gone = Set(plan.forgotten.map(\.id))
    let here = Set(listing.archive.stored.map(\.version.id))
    return listing.graph.newestFirst.filter { here.contains($0.id) && !gone.contains($0.id) }.map {
      version in
      let id = version.id
      var reasons = [
        (workingCopy.current == id, "live"), (heads.contains(id), "newest"),
        (pinned.contains(id), "pinned"), (listing.pending.contains(id), "unpublished"),
        (unmerged.contains(id) && workingCopy.current != id && !heads.contains(id), "unmerged"),
      ].filter(\.0).map(\.1)
      reasons += counted[id] ?? []
      if reasons.isEmpty { reasons = [plan.neededByDevices.contains(id) ? "device" : "base"] }
      return PruneReport.Kept(version: id, at: version.madeAt, reasons: reasons)
    }
  }

  /// The versions with rows that no later one has, and what a merge that brings them back is made from.
  ///
  /// A device may have continued from what it has live and from all that it has not adopted, and its versions may still come.
  private func mergeable(
    _ listing: VersionListing, _ deviceHeads: [VersionID]
  ) -> Set<VersionID> {
    let (tips, graph) = (tips(listing), listing.graph)
    guard let head = graph.newestHead else { return tips }
    let lineage = Lineage(graph)
    let known = deviceHeads.filter(graph.contains)
    let ahead = known.flatMap { known in
      let adopted = graph.ancestors(of: known)
      return graph.versions.filter { !adopted.contains($0.id) && !graph.isPruned($0.id) }
    }
    let apart = tips.subtracting(lineage.line(of: [head.id])).compactMap { graph[$0] }
    // Each may be merged after any of the others.
    return tips.union(lineage.grounds(of: apart + [head] + ahead).lazy.map(\.id))
  }

  /// Versions with rows that no later version has: those that lost to another writer or were
  /// undone, and those that cannot be read.
  private func tips(_ listing: VersionListing) -> Set<VersionID> {
    let lineage = Lineage.ofRows(listing.graph)
    let held = listing.graph.versions.filter {
      !listing.incomplete.contains($0.id) && !listing.graph.isPruned($0.id)
    }
    // Even if the undone version continues in another branch, a merge with that branch removes the
    // rows for good, and the restore itself may be pruned by then.
    let restores = listing.graph.versions.filter { $0.reason == .restore }
    let undone = restores.flatMap { restored in
      restored.parents.compactMap { listing.graph[$0] }.filter { $0.content != restored.content }
    }
    return Set((lineage.tips + lineage.tips(among: held) + undone).map(\.id))
      .subtracting(listing.graph.surpassedMerges)
  }

  /// Whether a version came before what it rests on or was made from, which itself may rest on anything.
  ///
  /// It may have been made long before it came, by a device that was away, or on a clock that is far ahead.
  private func isAwaiting(_ listing: VersionListing) throws -> Bool {
    let accounted = listing.archive.accounted
    return try listing.archive.stored.contains { file in
      let id = file.version.id
      let isWhole =
        !listing.incomplete.contains(id) && file.version.parents.allSatisfy(accounted.contains)
      guard !isWhole, !listing.graph.isPruned(id) else { return false }
      guard let status = try files.statusIfPresent(file.path) else { return true }
      let arrived = Timestamp(nanoseconds: status.ctime).milliseconds
      return !hasPassed(Self.awaitedFor, since: arrived, listing)
    }
  }

  /// Whether this many seconds have passed since a moment.
  ///
  /// Something must have been written meanwhile, so that a clock that jumped does not count.
  private func hasPassed(_ seconds: Int64, since: Int64, _ listing: VersionListing) -> Bool {
    let (duration, now) = (seconds * 1000, now.milliseconds)
    let margin = duration / 12
    guard now.minus(since) > duration else { return false }
    return listing.graph.versions.contains { version in
      (since.plus(margin)...now.minus(margin)).contains(version.at.milliseconds)
    }
  }

  /// The versions that the devices have live, as far as that is known; a device that does not say
  /// counts as being at its last version.
  private func deviceHeads(_ listing: VersionListing) throws -> [VersionID] {
    let records = try coordinator.deviceRecords()
    let silent = listing.devices.subtracting(records.filter { $0.head != nil }.map(\.id))
    let written = Dictionary(
      grouping: listing.graph.versions.filter { silent.contains($0.device) }, by: \.device)
    let seen = Dictionary(
      records.map { ($0.id, $0.lastSeen.milliseconds) }, uniquingKeysWith: { max($0, $1) })
    let last = written.values.compactMap { listing.graph.winner(among: $0) }
    let heads =
      records.compactMap { record in record.head.map { ($0, record.lastSeen.milliseconds) } }
      + last.map { ($0.id, max($0.at.milliseconds, seen[$0.device] ?? 0)) }
    return heads.filter { !hasPassed(Self.forgottenAfter, since: $0.1, listing) }.map(\.0)
  }

  /// Prunes after a publish when it is worth the look; what cannot be removed now is removed another time.
  func pruneIfWorthwhile() {
    guard let stored = versions.listing?.archive.stored, stored.count > Self.manyFiles,
      stored.count % 32 == 0
    else { return }
    _ = try? prune(dryRun: false)
  }
}
