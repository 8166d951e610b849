/// One thing that `doctor` noticed.
public struct Finding: Sendable, Hashable, Codable {
  /// How much it matters.
  public enum Severity: String, Sendable, Codable {
    case ok, info, warning, error
  }

  /// A stable name for programs.
  public var code: String
  /// How much it matters.
  public var severity: Severity
  /// What was found.
  public var message: String
  /// What to do about it; ends in a command if there is one.
  public var hint: String?
}
