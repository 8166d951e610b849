/// The id of a version: the SHA-256 of its fields, as 64 lower-case hexadecimal digits.
public struct VersionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let digest: Digest

  package init(_ digest: Digest) {
    self.digest = digest
  }

  /// Reads 64 lower-case hexadecimal digits; anything else is nil.
  public init?(_ text: some StringProtocol) {
    guard let digest = Digest(hex: text) else { return nil }
    self.digest = digest
  }

  /// The 64 lower-case hexadecimal digits.
  public var description: String { digest.hex }

  /// Orders ids as their text.
  public static func < (left: VersionID, right: VersionID) -> Bool {
    left.digest < right.digest
  }
}
