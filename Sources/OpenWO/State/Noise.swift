import OpenWOHistory

/// Recognises bytes that look random: those of an encrypted file do, those of a database or text do
/// not.
enum Noise {
  /// Whether the beginning of a content uses all byte values about equally often.
  static func fills(_ content: some ContentSource) throws -> Bool {
    let buffer = PageBuffer(byteCount: 64 * 1024)
    let count = try content.read(at: 0, into: buffer.bytes(buffer.count))
    guard count >= 2048 else { return false }
    var found = [Int](repeating: 0, count: 256)
    for byte in buffer.bytes(count) { found[Int(byte)] += 1 }
    // Evenly spread values have the smallest sum of squares; chance adds 256 times the count.
    let spread = 256 * found.reduce(0) { $0 + $1 * $1 }
    return spread < count * count + count * count / 20 + 384 * count
  }
}
