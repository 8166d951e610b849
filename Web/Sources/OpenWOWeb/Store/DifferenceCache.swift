import OpenWOApp
import Synchronization

/// A cache of differences between versions, which never change.
final class DifferenceCache: Sendable {
  private struct Pair: Hashable {
    let old: VersionID
    let new: VersionID
    let rows: Int
  }

  private struct Kept {
    var reports: [Pair: DifferenceReport] = [:]
    var order: [Pair] = []
  }

  private let counted = Mutex(Kept())
  private let detailed = Mutex(Kept())

  /// The difference, only counted.
  func counts(_ store: SyncedDatabase, _ old: VersionID, _ new: VersionID) throws
    -> DifferenceReport
  {
    try find(counted, limit: 20_000, Pair(old: old, new: new, rows: 0)) {
      try store.diff(from: .version(old), to: .version(new))
    }
  }

  /// The difference if it was counted before; looks at nothing.
  func knownCounts(_ old: VersionID, _ new: VersionID) -> DifferenceReport? {
    counted.withLock { $0.reports[Pair(old: old, new: new, rows: 0)] }
  }

  /// The difference with its first rows of each table.
  func rows(
    _ store: SyncedDatabase, _ old: VersionID, _ new: VersionID, upTo rows: Int
  ) throws -> DifferenceReport {
    try find(detailed, limit: 200, Pair(old: old, new: new, rows: rows)) {
      try store.diff(from: .version(old), to: .version(new), rows: .upTo(rows))
    }
  }

  private func find(
    _ kept: borrowing Mutex<Kept>, limit: Int, _ pair: Pair, _ make: () throws -> DifferenceReport
  ) throws -> DifferenceReport {
    if let known = kept.withLock({ $0.reports[pair] }) { return known }
    let report = try make()
    kept.withLock { kept in
      if kept.reports.updateValue(report, forKey: pair) == nil { kept.order.append(pair) }
      if kept.order.count > limit {
        for old in kept.order.prefix(limit / 2) { kept.reports[old] = nil }
        kept.order.removeFirst(limit / 2)
      }
    }
    return report
  }
}
