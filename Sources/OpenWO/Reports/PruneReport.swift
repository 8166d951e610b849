public import OpenWOHistory

/// What a prune removed, or would remove.
public struct PruneReport: Sendable, Hashable, Codable {
  /// The versions that can no longer be restored.
  public var removed: [VersionID]
  /// How many files went.
  public var files: Int
  /// How many bytes they had.
  public var bytes: Int64
  /// The versions that stay, newest first, and why.
  public var kept: [Kept] = []
  /// Whether nothing may go now, as a version of the last week has not arrived as a whole.
  public var waits = false

  /// A version that stays.
  public struct Kept: Sendable, Hashable, Codable {
    /// The version.
    public var version: VersionID
    /// When it was made.
    public var at: Timestamp
    /// Why it stays: `live`, `newest`, `pinned`, `unpublished`, `unmerged`, `device`, `last`, `hourly`, `daily`, `weekly`, `monthly`, or `base` if
    /// another one rests on it.
    public var reasons: [String]
  }
}

/// How many versions are kept: the last ones, and the first of each of the last hours, days, weeks and months that have any.
public struct KeptCounts: Sendable, Hashable {
  /// How many of the newest versions.
  public var last: Int
  /// In how many hours, days, weeks and months the first version is kept.
  public var hourly, daily, weekly, monthly: Int

  /// Sets what is kept.
  public init(last: Int = 0, hourly: Int = 0, daily: Int = 0, weekly: Int = 0, monthly: Int = 0) {
    (self.last, self.hourly, self.daily) = (last, hourly, daily)
    (self.weekly, self.monthly) = (weekly, monthly)
  }
}
