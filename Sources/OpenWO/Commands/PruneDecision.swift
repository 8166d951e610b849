import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// What a prune sees.
struct PruneFacts {
  var listing: VersionListing
  /// The folder from which files may go.
  var folder: FilePath
  /// When the files came of versions that have come without what they rest on.
  var unsettled: [Timestamp] = []
  var devices: [DeviceRecord] = []
  var live: VersionID?
  var pinned: Set<VersionID> = []
  var now: Timestamp
}

/// What a prune removes and what stays, and why; decided from facts alone.
struct PruneDecision {
  /// A device that was not seen for this time, in seconds, is no longer waited for.
  private static let forgottenAfter: Int64 = 365 * 24 * 3600

  /// So long, in seconds, nothing is removed that a version may rest on which has not arrived as a whole.
  private static let awaitedFor: Int64 = 7 * 24 * 3600

  /// What goes; nil if nothing may go now.
  private(set) var plan: RetentionPlan?
  private(set) var report = PruneReport(removed: [], files: 0, bytes: 0, waits: true)

  init(_ seen: PruneFacts, keeping retention: Retention) {
    guard seen.unsettled.allSatisfy({ seen.hasPassed(Self.awaitedFor, since: $0) }) else { return }
    let listing = seen.listing
    let heads = seen.deviceHeads(seenWithin: Self.forgottenAfter)
    let unmerged = listing.unmerged(deviceHeads: heads)
    let plan = RetentionPlan(
      retention, listing.archive, in: seen.folder, deviceHeads: heads,
      protected: listing.pending.union(unmerged).union(seen.pinned)
        .union([seen.live].compactMap(\.self)))
    self.plan = plan
    report = PruneReport(
      removed: plan.forgotten.map(\.id), files: plan.remove.count,
      bytes: plan.remove.reduce(0) { $0 + $1.fileSize },
      kept: seen.kept(plan, retention.reasons(listing.archive.versions), unmerged))
  }
}

extension PruneFacts {
  /// Whether this many seconds have passed since a moment.
  ///
  /// Something must have been written meanwhile, so that a clock that jumped does not count.
  fileprivate func hasPassed(_ seconds: Int64, since moment: Timestamp) -> Bool {
    let (since, now, duration) = (moment.milliseconds, now.milliseconds, seconds * 1000)
    let margin = duration / 12
    guard now.minus(since) > duration else { return false }
    return listing.graph.versions.contains { version in
      (since.plus(margin)...now.minus(margin)).contains(version.at.milliseconds)
    }
  }

  /// The versions that the devices have live, as far as that is known; a device that does not say
  /// counts as being at its last version.
  fileprivate func deviceHeads(seenWithin seconds: Int64) -> [VersionID] {
    let silent = listing.devices.subtracting(devices.filter { $0.head != nil }.map(\.id))
    let written = Dictionary(
      grouping: listing.graph.versions.filter { silent.contains($0.device) }, by: \.device)
    let seen = Dictionary(devices.map { ($0.id, $0.lastSeen) }, uniquingKeysWith: max)
    let last = written.values.compactMap { listing.graph.winner(among: $0) }
    let heads =
      devices.compactMap { record in record.head.map { ($0, record.lastSeen) } }
      + last.map { ($0.id, max($0.madeAt, seen[$0.device] ?? $0.madeAt)) }
    return heads.filter { !hasPassed(seconds, since: $0.1) }.map(\.0)
  }

  /// The versions that stay, and why.
  fileprivate func kept(
    _ plan: RetentionPlan, _ counted: [VersionID: [String]], _ unmerged: Set<VersionID>
  ) -> [PruneReport.Kept] {
    let heads = Set(listing.graph.effectiveHeads.flatMap(\.members).map(\.id))
    let here = Set(listing.archive.stored.map(\.version.id)).subtracting(plan.forgotten.map(\.id))
    return listing.graph.newestFirst.filter { here.contains($0.id) }.map { version in
      let id = version.id
      var reasons = [
        (live == id, "live"), (heads.contains(id), "newest"), (pinned.contains(id), "pinned"),
        (listing.pending.contains(id), "unpublished"),
        (unmerged.contains(id) && live != id && !heads.contains(id), "unmerged"),
      ].filter(\.0).map(\.1)
      reasons += counted[id] ?? []
      if reasons.isEmpty { reasons = [plan.neededByDevices.contains(id) ? "device" : "base"] }
      return PruneReport.Kept(version: id, at: version.madeAt, reasons: reasons)
    }
  }
}

extension VersionListing {
  /// The files of versions that came before what they rest on or were made from, which itself may rest on anything.
  ///
  /// They may have been made long before they came, by a device that was away, or on a clock that is far ahead.
  var unsettled: [StoredVersion] {
    let accounted = archive.accounted
    return archive.stored.filter { file in
      let isWhole =
        !incomplete.contains(file.version.id)
        && file.version.parents.allSatisfy(accounted.contains)
      return !isWhole && !graph.isPruned(file.version.id)
    }
  }

  /// The versions with rows that no later one has, and what a merge that brings them back is made from.
  ///
  /// A device may have continued from what it has live and from all that it has not adopted, and its versions may still come.
  fileprivate func unmerged(deviceHeads: [VersionID]) -> Set<VersionID> {
    let tips = tips
    guard let head = graph.newestHead else { return tips }
    let lineage = Lineage(graph)
    let known = deviceHeads.filter(graph.contains)
    let adopted = known.map(graph.ancestors(of:))
    let ahead = graph.versions.filter { version in
      !graph.isPruned(version.id) && !adopted.allSatisfy { $0.contains(version.id) }
    }
    let apart = tips.subtracting(lineage.line(of: [head.id])).compactMap { graph[$0] }
    // Each may be merged after any of the others.
    return tips.union(lineage.grounds(of: apart + [head] + ahead).lazy.map(\.id))
  }

  /// Versions with rows that no later version has: those that lost to another writer or were
  /// undone, and those that cannot be read.
  private var tips: Set<VersionID> {
    let lineage = Lineage.ofRows(graph)
    let held = graph.versions.filter { !incomplete.contains($0.id) && !graph.isPruned($0.id) }
    // Even if the undone version continues in another branch, a merge with that branch removes the
    // rows for good, and the restore itself may be pruned by then.
    let undone = graph.versions.filter { $0.reason == .restore }.flatMap { restored in
      restored.parents.compactMap { graph[$0] }.filter { $0.content != restored.content }
    }
    return Set((lineage.tips + lineage.tips(among: held) + undone).map(\.id))
      .subtracting(graph.surpassedMerges)
  }
}
