public import OpenWOHistory

/// How a sync ended.
public enum SyncOutcome: Sendable, Hashable {
  /// The database is up to date, and there is proof of it.
  case upToDate(Proof)
  /// A dry run found steps to take.
  case planned
  /// Something could not be read, was not understood, or waits; the error says what.
  case unsettled(StoreError)

  /// Whether there is proof that the database is up to date.
  package var isUpToDate: Bool { if case .upToDate = self { true } else { false } }

  /// The proof that a database is up to date: the last look saw and understood everything, and nothing waits.
  ///
  /// Only such a look can make it, so nothing says "up to date" without one.
  public struct Proof: Sendable, Hashable {
    /// The newest head, which all devices should have.
    public let head: VersionID?
    /// The lock that somebody holds meanwhile.
    public let lock: StoreLock?
    /// Whether it is this device's own.
    public let isOwnLock: Bool

    /// Takes the last look and the steps that wait; nil if it proves nothing.
    init?(_ seen: Sighting, waits: [Action]) {
      guard waits.isEmpty, seen.vanished == nil, !seen.hasUnreadVersions, !seen.hasUnreadCopies,
        seen.unarrived.isEmpty,
        case .whole(let content, _) = seen.live, seen.graph.contains(content: content)
      else { return nil }
      let planning = Planning(seen: seen, policy: Policy())
      guard planning.waitingCopies.isEmpty else { return nil }
      let heads = planning.heads
      // Under a lock the heads wait for its end, whoever wrote them.
      guard heads.count == 1, heads[0].version.content == content else { return nil }
      head = heads[0].version.id
      (lock, isOwnLock) = (seen.lock?.lock, seen.lock?.isOurs ?? false)
    }
  }
}
