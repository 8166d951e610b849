import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// What the live file held when that was last known: the version that it was a copy of, and the
/// file's signature at that time.
///
/// It is a hint that saves reading the database. It counts only while the file's signature is the
/// recorded one and the machine has not restarted, since a power failure may lose a file's bytes and
/// keep its times. Losing it costs one reading of the file.
struct Baseline: Sendable, Hashable {
  /// The version that the live file is a copy of.
  var current: VersionID
  /// The live file's signature when it had that version's content.
  var signature: FileSignature
  /// The digests of the live file's blocks; their root is its content.
  var digests: BlockDigests

  /// The live file's content.
  var content: ContentHash { digests.root }
}

/// The baseline as files, so that a commit writes little however large the database is.
///
/// `record` is a line of words, and the digests that differ from those in `digests-<root>`. When
/// too many differ, that file is written again under a new name. For a small database, `record` has
/// all digests.
extension Baseline {
  /// The digests in their own file.
  struct Saved {
    var digests: BlockDigests
  }

  /// The most that is read: digests of a database of 2 TiB.
  private static let limit = 1 << 30
  /// Digests are written with the record while they are as few as this.
  private static let few = 64

  private static func path(_ folder: FilePath) -> FilePath { folder.appending("record") }

  private static func path(_ folder: FilePath, digests root: ContentHash) -> FilePath {
    folder.appending("digests-\(root)")
  }

  /// Reads the recorded one; nil if there is none that is valid.
  static func load(
    _ folder: FilePath, boot: String, _ files: FileSystem
  ) -> (baseline: Baseline, saved: Saved?)? {
    guard let bytes = try? files.readSmall(path(folder), limit: limit),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let line = Line(String(decoding: bytes[..<end], as: UTF8.self), boot: boot)
    else { return nil }
    var saved: Saved?
    var base = BlockDigests.none
    if let (root, size) = line.base {
      guard let bytes = try? files.readSmall(path(folder, digests: root), limit: limit),
        let found = BlockDigests(bytes: bytes, size: size), found.root == root
      else { return nil }
      (saved, base) = (Saved(digests: found), found)
    }
    guard let blocks = blocks(bytes[(end + 1)...]),
      let digests = base.replacing(blocks, size: line.signature.size),
      digests.root == line.content
    else { return nil }
    return (
      Baseline(current: line.current, signature: line.signature, digests: digests), saved
    )
  }

  /// The version that the recorded one names, even if that is invalid; nil: there is none.
  static func lastVersion(_ folder: FilePath, _ files: FileSystem) -> VersionID? {
    guard let bytes = try? files.readSmall(path(folder), limit: limit),
      let line = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first
    else { return nil }
    return Line.current(String(decoding: line, as: UTF8.self))
  }

  /// Writes it so that a reader sees the old one or the new one; not durably, as it does
  /// not count after a restart.
  ///
  /// It is told which digests are in their own file, and returns which are now.
  func save(
    _ folder: FilePath, boot: String, over saved: Saved?, _ files: FileSystem
  ) throws -> Saved? {
    if digests.count <= Self.few {
      try write(folder, boot, base: nil, Array(0..<digests.count), files)
      if let saved { try? files.unlink(Self.path(folder, digests: saved.digests.root)) }
      return nil
    }
    if let base = saved?.digests {
      let differing = digests.blocks(differingFrom: base)
      if differing.count <= Self.few {
        try write(folder, boot, base: base, differing.filter { $0 < digests.count }, files)
        return saved
      }
    }
    try AtomicFile.write(
      digests.bytes, to: Self.path(folder, digests: digests.root), durable: false, fileSystem: files
    )
    try write(folder, boot, base: digests, [], files)
    if let old = saved?.digests.root, old != digests.root {
      try? files.unlink(Self.path(folder, digests: old))
    }
    return Saved(digests: digests)
  }

  private func write(
    _ folder: FilePath, _ boot: String, base: BlockDigests?, _ blocks: [Int], _ files: FileSystem
  ) throws {
    let line = Line(
      boot: boot, current: current, content: content, signature: signature,
      base: base.map { ($0.root, $0.size) })
    var bytes = Array(line.text.utf8)
    for block in blocks {
      for shift in stride(from: 0, to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: block >> shift))
      }
      bytes += digests.bytes(ofBlock: block)
    }
    try AtomicFile.write(bytes, to: Self.path(folder), durable: false, fileSystem: files)
  }

  private static func blocks(_ bytes: ArraySlice<UInt8>) -> [(Int, [UInt8])]? {
    guard bytes.count % 36 == 0 else { return nil }
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: 36).map { start in
      let number = (0..<4).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
      return (number, Array(bytes[start + 4..<start + 36]))
    }
  }
}
