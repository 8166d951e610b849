/// A file that says what versions there were, after their own files were removed.
///
/// Without it a version between removed ones would look like a head, and content that comes back from far away like an
/// edit. A line for each version, the oldest first, has the JSON header without `payload` and `base`. The file's name has the
/// latest time in it, `prune` as its device, and the SHA-256 of its bytes.
struct PrunedList: Sendable {
  static let device = "prune"
  static let kind = "pruned"
  /// The most bytes in a file.
  static let byteLimit = 16 * 1024 * 1024

  /// The versions, the oldest first.
  let versions: [Version]
  let byteCount: Int

  /// From this size on, the next version goes into another file.
  private static let fullSize = 1024 * 1024
  /// How many versions are remembered that lie between no others.
  private static let remembered = 4096

  /// The files to have when these versions are pruned too, beside those that are listed already.
  ///
  /// A version that only vanished is not in them: it may be on its way.
  /// All are in them that are made from a version that is still there; of the rest, which only serve to know old content
  /// again, the newest. The oldest versions come first, so that full files stay as they are.
  static func files(
    _ graph: VersionGraph, listed: Set<VersionID>, forgetting forgotten: [Version]
  ) -> [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    var bytes: [UInt8] = []
    var latest = HybridTime(milliseconds: 0)
    let versions = gone(graph, listed: listed, forgetting: forgotten)
    for (place, version) in versions.enumerated() {
      bytes += line(version)
      latest = max(latest, version.at)
      guard bytes.count >= fullSize || place == versions.count - 1 else { continue }
      let name = ArchiveFileName(
        at: latest, device: device, digest: Digest(hashing: bytes), kind: kind)
      files.append((name.text, bytes))
      (bytes, latest) = ([], HybridTime(milliseconds: 0))
    }
    return files
  }

  private static func gone(
    _ graph: VersionGraph, listed: Set<VersionID>, forgetting forgotten: [Version]
  ) -> [Version] {
    let forgotten = Set(forgotten)
    let isGone = graph.versions.indices.map { place in
      let version = graph.versions[place]
      return graph.isPruned[place] && listed.contains(version.id) || forgotten.contains(version)
    }
    let living = graph.versions.indices.filter { !isGone[$0] }
    let isBetween = graph.reach(from: living, along: graph.children)
    let oldestFirst = graph.versions.indices.filter { isGone[$0] }
      .sorted { graph.versions[$0].loses(to: graph.versions[$1]) }
    let rest = Set(oldestFirst.filter { !isBetween[$0] }.suffix(remembered))
    return oldestFirst.filter { isBetween[$0] || rest.contains($0) }.map { graph.versions[$0] }
  }

  private static func line(_ version: Version) -> [UInt8] {
    let id = JSONMember("id", .string(version.id.description))
    return Version.Fields.canonicalForm(version.fields.members + [id]) + [UInt8(ascii: "\n")]
  }

  init(versions: [Version], byteCount: Int) {
    (self.versions, self.byteCount) = (versions, byteCount)
  }

  /// Reads the bytes of a file, and checks them against its name.
  init(_ bytes: [UInt8], name: ArchiveFileName) throws(HistoryError) {
    guard Digest(hashing: bytes) == name.digest, bytes.last == UInt8(ascii: "\n") else {
      throw .damaged("the list is not what its hash says")
    }
    var versions: [Version] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      guard line.count < VersionFile.headerLimit else { throw .malformed("a line is too long") }
      var fields = try HeaderFields(line: Array(line))
      versions.append(try Version(from: &fields))
    }
    self.versions = versions
    byteCount = bytes.count
  }
}
