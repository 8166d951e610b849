public import OpenWOHistory

/// The result of an unlock.
public struct UnlockReport: Sendable, Hashable {
  /// The version that holds the edit; nil if nothing was edited.
  public var version: VersionID?
  /// The changes since the lock, table by table.
  public var changes: [TableChange]
  /// Whether tables, indexes, views or triggers changed.
  public var schemaChanged: Bool
  /// Whether a write-ahead log was checkpointed into the database.
  public var foldedWAL: Bool
  /// The version with the database's content without its log, or with an unproven journal replayed.
  public var passedOver: VersionID?
  /// The quarantined file of a damaged edit that was discarded.
  public var quarantined: QuarantinedFile?
  /// Findings of a check that are new since the edit, and parts that could not be checked; the edit
  /// is kept all the same.
  public var findings: [String] = []
  /// The lock that ended.
  public var lock: StoreLock
  /// The version of an edit that was discarded, or that a journal has undone.
  public var discarded: VersionID?
}

/// The options of an unlock.
public struct UnlockRequest: Sendable, Hashable {
  /// Whether to go back to the state before the lock; the edit stays in the history.
  public var discard: Bool
  /// The id of a lock to end, whoever holds it.
  public var force: String?
  /// Whether the report is a preview; the lock is still held.
  public var dryRun: Bool
  /// The version that must be live for the unlock; nil for any.
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
