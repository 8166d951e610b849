import Corpora
import Foundation
import OpenWO
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage

/// Devices that write rows and merge what the others wrote, over a folder that delivers versions in any order.
///
/// The merges are the product's own (`RowMerge` over the graph's lineage); files and their names are left out.
final class MergeWorld {
  /// The kinds of writes.
  enum Kind: Int, CaseIterable {
    /// Rows of an AUTOINCREMENT table.
    case log
    /// Rows of a table with an INTEGER PRIMARY KEY.
    case plain
    /// Rows of a table without a key.
    case keyless
    /// Rows and rows that point to them.
    case family
    /// As `family`, and rows are changed and deleted.
    case edits
    /// As `plain`, and rows are changed and deleted, so that numbers are used again.
    case reuse

    /// Whether rows are changed and deleted.
    var hasEdits: Bool { self == .edits || self == .reuse }
  }

  struct Row: Hashable {
    var token: String
    var parent: String?
    var note: String
  }

  let kind: Kind
  let folder: String
  var random: SeededRandom
  var devices: [MergeDevice] = []
  /// All versions that were made, by id.
  var versions: [VersionID: Version] = [:]
  /// The tokens of all rows that were put in, and what was ever written into each.
  var written: [String: Set<String>] = [:]
  /// The token of the row that each points to.
  var parents: [String: String] = [:]
  var deleted: Set<String> = []
  var changed: Set<String> = []
  var clock: Int64 = 1_000_000
  /// Whether devices find files, and whether they take those for writes of their own.
  var hasFinds = false
  var hidesFinds = false
  /// The files that were left behind, and the versions from which they were made.
  var left: [(facts: ContentFacts, base: Version)] = []
  private(set) var mergeCount = 0
  private(set) var story: [String] = []
  private var count = 0
  private var tokenCount = 0

  init(seed: UInt64, kind: Kind, folder: String) throws {
    (self.kind, self.folder) = (kind, folder)
    random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = newPath()
    let connection = try Self.open(path, .create)
    try connection.executeScript(
      "PRAGMA page_size = 512; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;" + schema)
    connection.close()
    let root = try keep(path, parents: [], device: "a", reason: .create)
    for place in 0..<3 + random.below(2) {
      devices.append(MergeDevice(name: "d\(place)", known: [root.id], current: root))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var schema: String {
    let writes = hasEdits ? "CREATE TABLE w(token TEXT PRIMARY KEY) WITHOUT ROWID;" : ""
    return writes + tables
  }

  private var tables: String {
    switch kind {
    case .log: "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT, note TEXT);"
    case .plain, .reuse: "CREATE TABLE t(id INTEGER PRIMARY KEY, token TEXT, note TEXT);"
    case .keyless: "CREATE TABLE t(token TEXT, note TEXT);"
    case .family, .edits:
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT, note TEXT);"
        + "CREATE TABLE c(id INTEGER PRIMARY KEY AUTOINCREMENT, t INTEGER REFERENCES t(id), token TEXT, note TEXT);"
    }
  }

  var hasChildren: Bool { kind == .family || kind == .edits }
  var hasEdits: Bool { kind.hasEdits }

  func newToken() -> String {
    tokenCount += 1
    return "r\(tokenCount)"
  }

  func tell(_ line: String) { story.append(line) }

  func newPath() -> String {
    count += 1
    return "\(folder)/new-\(count)"
  }

  func path(_ content: ContentHash) -> String { "\(folder)/\(content)" }

  static func open(_ path: String, _ mode: Connection.Options.Mode) throws -> Connection {
    try Connection(
      path: FilePath(path),
      Connection.Options(mode: mode, immutable: mode == .readOnly, guardPolicy: .privateCopy))
  }

  /// Keeps a file, which is then known by its content.
  func store(_ file: String) throws -> ContentFacts {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let digests = try BlockDigests(size: Int64(bytes.count)) { offset, buffer in
      let end = min(bytes.count, Int(offset) + buffer.count)
      buffer.copyBytes(from: bytes[Int(offset)..<end])
      return end - Int(offset)
    }
    let facts = ContentFacts(
      hash: digests.root, bytes: Int64(bytes.count), pageSize: 512, userVersion: 0,
      applicationID: 0)
    if FileManager.default.fileExists(atPath: path(facts.hash)) {
      try FileManager.default.removeItem(atPath: file)
    } else {
      try FileManager.default.moveItem(atPath: file, toPath: path(facts.hash))
    }
    return facts
  }

  /// Makes a version of a file.
  func keep(
    _ file: String, parents: [Version], device: String, reason: VersionReason,
    renumbered: RenumberedRows? = nil
  ) throws -> Version {
    try keep(
      store(file), parents: parents, device: device, reason: reason, renumbered: renumbered)
  }

  /// Makes a version of a kept content; a found content has the time of its parent, so that twins
  /// have one time.
  func keep(
    _ facts: ContentFacts, parents: [Version], device: String, reason: VersionReason,
    renumbered: RenumberedRows? = nil, members: [JSONMember] = []
  ) throws -> Version {
    let version: Version
    if reason == .merge {
      version = try Version.merge(parents: parents, facts: facts, renumbered: renumbered)
      mergeCount += 1
    } else {
      // Clocks go wrong by some time now and then.
      clock += Int64(random.below(1000))
      let mine = HybridTime(milliseconds: clock - Int64(random.below(4000)))
      let latest = parents.map(\.at).max()
      let after =
        reason == .external
        ? latest?.tick ?? mine : latest.map { max($0.tick, mine) } ?? mine
      version = try Version(
        facts: facts, parents: parents.map(\.id), device: device, deviceName: device, at: after,
        reason: reason, members: members)
    }
    versions[version.id] = version
    return version
  }
}
