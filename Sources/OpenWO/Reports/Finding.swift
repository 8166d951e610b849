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
  /// What an app can offer about it, the best way first; never empty for a warning or an error.
  public var remedies: [Remedy]
  /// What to do about it in words and typed steps, for a terminal.
  package var advice: Advice?

  private enum CodingKeys: CodingKey { case code, severity, message, remedies }
}
