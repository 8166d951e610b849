public import OpenWOHistory

/// What a reconcile did, or would do.
public struct ReconcileReport: Sendable, Hashable {
  /// One step, in words that programs can rely on.
  public struct Step: Sendable, Hashable, Codable {
    /// `publish`, `capture`, `note`, `settle`, `merge`, `adopt`, `repair`, `remove`, `putBack`, `acknowledge` or
    /// `wait`.
    public var kind: String
    /// The version it is about.
    public var version: VersionID?
    /// The file it is about, as it may be printed.
    public var path: String?
    /// Why.
    public var reason: String?
    /// When it is due, for `wait`.
    public var until: Timestamp?
  }

  /// The steps in order.
  public var actions: [Step]
  /// The version that all devices are to have.
  public var head: VersionID?
  /// Whether the database is up to date, or why it is not.
  public var outcome: SyncOutcome
  /// The files that could not become versions and were kept aside before they were replaced.
  public var quarantined: [QuarantinedFile] = []
}
