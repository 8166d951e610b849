/// A damaged file that was moved into quarantine before it was replaced.
public struct QuarantinedFile: Sendable, Hashable, Codable {
  /// Its id for commands, and its file's name in quarantine.
  public var id: String
  /// When it was kept.
  public var at: Timestamp
  /// Its size.
  public var bytes: Int64
  /// Why it could not become a version.
  public var why: String
  /// Whether its bytes look random, as those of an encrypted database do.
  public var looksEncrypted: Bool
  /// Whether somebody has looked at the list since.
  public var isSeen: Bool
}
