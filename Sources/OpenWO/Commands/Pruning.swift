import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Keeping the archive small: old versions go, what has rows that no later one has and all that a device still needs stay.
struct Pruning: StoreCommand {
  let store: Store

  /// More files than this in the companion, and old ones are looked for after a publish.
  private static var manyFiles: Int { 256 }

  /// Removes the versions that the retention does not keep, or says which they are.
  ///
  /// `counts` replace those of the configuration.
  func run(dryRun: Bool, keeping counts: KeptCounts? = nil) throws -> PruneReport {
    let retention = counts.map(Retention.init) ?? configuration.retention
    // No process of this device may base a new version on one that is about to be removed.
    return try store.asWriter {
      let seen = try facts()
      let decision = PruneDecision(seen, keeping: retention)
      if !dryRun, let plan = decision.plan, !plan.isEmpty {
        let (archive, listed) = (versions.archive, seen.listing.archive)
        try store.companion.inside(paths.versions, mode: 0o755) { within in
          try archive.through(within).prune(plan, in: paths.versions, listed)
        }
        try versions.list()
      }
      return decision.report
    }
  }

  private func facts() throws -> PruneFacts {
    let listing = try versions.list()
    return PruneFacts(
      listing: listing, folder: paths.versions,
      unsettled: try listing.unsettled.map { file in
        let status = try files.statusIfPresent(file.path)
        return status.map { Timestamp(nanoseconds: $0.ctime) } ?? store.now
      },
      devices: try coordinator.deviceRecords(), live: workingCopy.current,
      pinned: Set(try Pins(store: store).named().values), now: store.now)
  }

  /// Prunes after a publish when it is worth the look; what cannot be removed now is removed another time.
  func runIfWorthwhile() {
    guard let stored = versions.listing?.archive.stored, stored.count > Self.manyFiles,
      stored.count % 32 == 0
    else { return }
    _ = try? run(dryRun: false)
  }
}

extension Retention {
  fileprivate init(_ counts: KeptCounts) {
    self.init(
      last: counts.last, hourly: counts.hourly, daily: counts.daily, weekly: counts.weekly,
      monthly: counts.monthly)
  }
}
