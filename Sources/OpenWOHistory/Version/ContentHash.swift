/// The tree hash of a database file's bytes, which identifies a version's content whoever made it.
///
/// SHA-256 over the SHA-256 digests of the file's 64 KiB blocks, in order. The last block may be short;
/// an empty file has no block, so its hash is the SHA-256 of nothing. See `BlockDigests`.
public struct ContentHash: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  package let digest: Digest

  /// Takes a root that was computed elsewhere.
  package init(_ digest: Digest) {
    self.digest = digest
  }

  /// Reads 64 lower-case hexadecimal digits; anything else is nil.
  public init?(hex: some StringProtocol) {
    guard let digest = Digest(hex: hex) else { return nil }
    self.digest = digest
  }

  /// Hashes content in memory.
  package init(of content: [UInt8]) {
    var hasher = TreeHasher()
    content.withUnsafeBytes { hasher.update($0) }
    self = hasher.finish().root
  }

  /// The 64 lower-case hexadecimal digits.
  public var description: String { digest.hex }

  /// Orders hashes as their text.
  public static func < (left: ContentHash, right: ContentHash) -> Bool {
    left.digest < right.digest
  }
}
