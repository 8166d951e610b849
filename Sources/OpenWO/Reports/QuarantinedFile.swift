/// A file that could not become a version and was kept aside before another content took its place.
public struct QuarantinedFile: Sendable, Hashable, Codable {
  /// What it is called in a command, and the name of the file that keeps it.
  public var id: String
  /// When it was kept.
  public var at: Timestamp
  /// How large it is.
  public var bytes: Int64
  /// Why it is no version.
  public var why: String
  /// Whether it has the bytes of noise, as an encrypted database has.
  public var looksEncrypted: Bool
  /// Whether somebody has looked at the list since.
  public var isSeen: Bool
}
