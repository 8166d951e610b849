/// A file that says what versions there were, after their own files were removed.
///
/// Without it a version between removed ones would look like a head, and content that comes back from far away like an
/// edit. A line for each version, sorted, has the JSON header without `payload` and `base`. The file's name has the
/// latest time in it, `prune` as its device, and the SHA-256 of its bytes.
struct PrunedList: Sendable {
  static let device = "prune"
  static let kind = "pruned"
  /// The most bytes in a file.
  static let byteLimit = 16 * 1024 * 1024

  /// The versions, sorted by id.
  let versions: [Version]
  let byteCount: Int

  /// Makes a list of versions; nil when there are none.
  init?(_ versions: some Sequence<Version>) {
    self.versions = Set(versions).sorted { $0.id < $1.id }
    guard !self.versions.isEmpty else { return nil }
    byteCount = 0
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
