public import OpenWOHistory

/// What an unlock found and kept.
public struct UnlockReport: Sendable, Hashable {
  /// The version that holds the edit; nil when nothing was edited.
  public var version: VersionID?
  /// What changed since the lock, table by table.
  public var changes: [TableChange]
  /// Whether tables, indexes, views or triggers changed.
  public var schemaChanged: Bool
  /// Whether rows were folded back out of a write-ahead log.
  public var foldedWAL: Bool
  /// The version that holds what the database was without its log, or with a journal that proves nothing.
  public var passedOver: VersionID?
  /// The file that holds a damaged edit that was discarded.
  public var quarantined: QuarantinedFile?
  /// What the edit left that a check of the database objects to, and what could not be checked; the edit is kept all the same.
  public var findings: [String] = []
  /// The lock that ended.
  public var lock: StoreLock
  /// The version that holds an edit that was discarded, or that a journal has undone.
  public var discarded: VersionID?
}

/// How to end a lock.
public struct UnlockRequest: Sendable, Hashable {
  /// Puts back the state from before the lock; the edit stays in the history.
  public var discard: Bool
  /// The id of a lock of anybody's to end.
  public var force: String?
  /// Only says what ending it would find; the lock stands.
  public var dryRun: Bool
  /// The only version that may be live, since this was decided on it; nil for any.
  public var ifHead: VersionID?

  /// Makes a request; by default the edit is kept.
  public init(
    discard: Bool = false, force: String? = nil, dryRun: Bool = false, ifHead: VersionID? = nil
  ) {
    self.ifHead = ifHead
    self.discard = discard
    self.force = force
    self.dryRun = dryRun
  }
}
