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

  /// The most versions in a file that is written.
  private static let versionLimit = 4096
  /// How many versions are remembered that lie between no others.
  private static let remembered = 4096

  /// The lists to have when these versions are pruned too.
  ///
  /// All are in them that are made from a version that is still there; of the rest, which only serve to know old content
  /// again, the newest. The oldest versions come first, so that full lists stay as they are.
  static func lists(_ graph: VersionGraph, forgetting forgotten: [Version]) -> [PrunedList] {
    let gone = Set(forgotten.map(\.id))
    let isGone = graph.versions.indices.map {
      graph.isPruned[$0] || gone.contains(graph.versions[$0].id)
    }
    let living = graph.versions.indices.filter { !isGone[$0] }
    let isBetween = graph.reach(from: living, along: graph.children)
    let oldestFirst = graph.versions.indices.filter { isGone[$0] }
      .sorted { graph.versions[$0].loses(to: graph.versions[$1]) }
    let rest = Set(oldestFirst.filter { !isBetween[$0] }.suffix(remembered))
    let listed = oldestFirst.filter { isBetween[$0] || rest.contains($0) }
    return stride(from: 0, to: listed.count, by: versionLimit).map { start in
      PrunedList(
        versions: listed[start..<min(start + versionLimit, listed.count)].map {
          graph.versions[$0]
        },
        byteCount: 0)
    }
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

  /// The bytes of the file.
  var bytes: [UInt8] {
    versions.flatMap { version in
      let id = JSONMember("id", .string(version.id.description))
      return Version.Fields.canonicalForm(version.fields.members + [id]) + [UInt8(ascii: "\n")]
    }
  }

  /// The name of the file that has these bytes.
  func fileName(of bytes: [UInt8]) -> String {
    ArchiveFileName(
      at: versions.map(\.at).max() ?? HybridTime(milliseconds: 0), device: Self.device,
      digest: Digest(hashing: bytes), kind: Self.kind
    ).text
  }
}
