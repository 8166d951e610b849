public import OpenWOHistory

/// The result of a prune, or of a dry run.
public struct PruneReport: Sendable, Hashable, Codable {
  /// The versions that can no longer be restored.
  public var removed: [VersionID]
  /// The number of removed files.
  public var files: Int
  /// Their size in bytes.
  public var bytes: Int64
  /// The versions that stay, newest first, and why.
  public var kept: [Kept] = []
  /// Whether nothing may be removed now, as a version of the last week is incomplete.
  public var waits = false

  /// A version that stays.
  public struct Kept: Sendable, Hashable, Codable {
    /// The version.
    public var version: VersionID
    /// When it was made.
    public var at: Timestamp
    /// Why it stays: `live`, `newest`, `pinned`, `unpublished`, `unmerged`, `device`, `last`,
    /// `hourly`, `daily`, `weekly`, `monthly`, or `base` if another version is based on it.
    public var reasons: [String]
  }
}

/// How many versions are kept: the last ones, and the first of each of the last hours, days, weeks and months that have any.
public struct KeptCounts: Sendable, Hashable {
  /// The number of newest versions that are kept.
  public var last: Int
  /// The number of hours, days, weeks and months of which the first version is kept.
  public var hourly, daily, weekly, monthly: Int

  /// Makes counts; 0 keeps none by that rule.
  public init(last: Int = 0, hourly: Int = 0, daily: Int = 0, weekly: Int = 0, monthly: Int = 0) {
    (self.last, self.hourly, self.daily) = (last, hourly, daily)
    (self.weekly, self.monthly) = (weekly, monthly)
  }
}
