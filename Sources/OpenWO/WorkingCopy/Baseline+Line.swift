import OpenWOFiles
import OpenWOHistory

extension Baseline {
  /// The record's first line: words with a space between, a missing one is `-`.
  struct Line {
    var boot: String
    var current: VersionID
    var content: ContentHash
    var signature: FileSignature
    /// The base of the record's digests: their root, and the size of their file.
    var base: (root: ContentHash, size: Int64)?

    private static let format = "openwo-record-2"
  }
}

extension Baseline.Line {
  var text: String {
    let numbers = "\(signature.device) \(signature.inode) \(signature.size) \(signature.mtime)"
    let base = base.map { "\($0.root) \($0.size)" } ?? "- -"
    return "\(Self.format) \(boot) \(current) \(content) \(numbers) \(signature.ctime) \(base)\n"
  }

  /// The version that a line names, whenever it was written.
  static func current(_ text: String) -> VersionID? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 11, words[0] == Self.format else { return nil }
    return VersionID(String(words[2]))
  }

  /// Reads a line without its newline; nil if it was written before the machine last started, or is
  /// not such a line.
  init?(_ text: String, boot: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 11, words[0] == Self.format, words[1] == boot,
      let current = VersionID(String(words[2])), let content = ContentHash(hex: words[3]),
      let device = UInt64(words[4]), let inode = UInt64(words[5]), let size = Int64(words[6]),
      let mtime = Int64(words[7]), let ctime = Int64(words[8])
    else { return nil }
    (self.boot, self.current, self.content) = (boot, current, content)
    signature = FileSignature(device: device, inode: inode, size: size, mtime: mtime, ctime: ctime)
    guard words[9] != "-" else { return }
    guard let root = ContentHash(hex: words[9]), let size = Int64(words[10]) else { return nil }
    base = (root, size)
  }
}
