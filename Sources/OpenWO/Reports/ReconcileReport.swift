public import OpenWOHistory

/// The steps that a sync took, or would take.
public struct ReconcileReport: Sendable, Hashable {
  /// One step, in stable words for programs.
  public struct Step: Sendable, Hashable, Codable {
    /// `publish`, `capture`, `note`, `settle`, `merge`, `adopt`, `repair`, `remove`, `putBack`, `acknowledge` or
    /// `wait`.
    public var kind: String
    /// The version that it concerns.
    public var version: VersionID?
    /// The file that it concerns, escaped for printing.
    public var path: String?
    /// Why.
    public var reason: String?
    /// When it is due, for `wait`.
    public var until: Timestamp?
  }

  /// The steps in order.
  public var actions: [Step]
  /// The newest head, which all devices should have.
  public var head: VersionID?
  /// Whether the database is up to date, or why it is not.
  public var outcome: SyncOutcome
  /// The damaged files that were moved into quarantine before they were replaced.
  public var quarantined: [QuarantinedFile] = []
}
