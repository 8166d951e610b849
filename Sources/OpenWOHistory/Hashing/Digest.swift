/// The 32 bytes of a SHA-256 digest.
///
/// Kept as four words, so that a digest is a plain value: no allocation, quick to hash and compare.
package struct Digest: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of bytes in a digest.
  package static let byteCount = 32

  private let a, b, c, d: UInt64

  /// Takes the 32 bytes of a digest; any other number of bytes is nil.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    func word(_ index: Int) -> UInt64 {
      UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }
    (a, b, c, d) = (word(0), word(1), word(2), word(3))
  }

  /// Reads 64 lower-case hexadecimal digits; anything else is nil.
  package init?(hex: some StringProtocol) {
    var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    var count = 0
    for byte in hex.utf8 {
      guard count < 64, let digit = Self.value(ofHexDigit: byte) else { return nil }
      switch count / 16 {
      case 0: words.0 = words.0 << 4 | digit
      case 1: words.1 = words.1 << 4 | digit
      case 2: words.2 = words.2 << 4 | digit
      default: words.3 = words.3 << 4 | digit
      }
      count += 1
    }
    guard count == 64 else { return nil }
    (a, b, c, d) = words
  }

  /// Hashes bytes without copying them.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    self = hasher.finish()
  }

  /// Hashes an array of bytes.
  package init(hashing bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { Digest(hashing: $0) }
  }

  /// The digest as 64 lower-case hexadecimal digits.
  package var hex: String {
    String(unsafeUninitializedCapacity: 64) { buffer in
      for (index, word) in [a, b, c, d].enumerated() {
        for place in 0..<16 {
          let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * place)) & 15
          buffer[index * 16 + place] = digit < 10 ? 48 + digit : 87 + digit
        }
      }
      return 64
    }
  }

  /// The same as ``hex``.
  package var description: String { hex }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, filled in
      store(in: UnsafeMutableRawBufferPointer(buffer), at: 0)
      filled = Self.byteCount
    }
  }

  /// Writes the 32 bytes to memory that has room for them.
  func store(in memory: UnsafeMutableRawBufferPointer, at place: Int) {
    memory.storeBytes(of: a.bigEndian, toByteOffset: place, as: UInt64.self)
    memory.storeBytes(of: b.bigEndian, toByteOffset: place + 8, as: UInt64.self)
    memory.storeBytes(of: c.bigEndian, toByteOffset: place + 16, as: UInt64.self)
    memory.storeBytes(of: d.bigEndian, toByteOffset: place + 24, as: UInt64.self)
  }

  /// Hashes eight bytes, which are as random as all of them.
  package func hash(into hasher: inout Hasher) { hasher.combine(a) }

  /// Orders digests as their bytes, and so as their hexadecimal text.
  package static func < (left: Digest, right: Digest) -> Bool {
    (left.a, left.b, left.c, left.d) < (right.a, right.b, right.c, right.d)
  }

  private static func value(ofHexDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - 48)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - 87)
    default: nil
    }
  }
}
