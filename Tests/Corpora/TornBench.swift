import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOTestSupport
package import SystemPackage

/// A store of several versions, whose file is torn and edited from outside.
///
/// Each check returns sentences about faults; an empty list is good.
package final class TornBench {
  private let root: FilePath
  private let store: SyncedDatabase
  private let shell: (String, FilePath) throws -> Void
  private let files = FileSystem()
  private var random: SeededRandom
  private var states: [[UInt8]] = []
  /// All pages that the database and its copies ever had, each at its place.
  private var past: Set<Page> = []
  /// How many edits had only such pages.
  package private(set) var repeated = 0

  private struct Page: Hashable {
    var number: Int
    var bytes: ArraySlice<UInt8>
  }

  /// The tables of the database, of each kind that lies differently in its pages.
  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, n INT, body BLOB); CREATE INDEX t_n ON t(n);
    CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
    INSERT INTO t SELECT i, 'note ' || i, i % 17, randomblob(abs(random()) % 400) FROM c;
    INSERT INTO w SELECT 'key ' || id, v FROM t WHERE id % 3 = 0;
    """

  /// Makes the store in an empty folder; `shell` runs SQL on a file as any other program does.
  package init(
    _ root: FilePath, seed: UInt64, shell: @escaping (_ sql: String, FilePath) throws -> Void
  ) throws {
    random = SeededRandom(seed: seed)
    (self.root, self.shell) = (root, shell)
    try files.makeDirectories(root.appending("folder"))
    let database = root.appending("folder").appending("openwo.sqlite")
    try shell(Self.schema, database)
    let clock = ManualClock(now: SystemClock().now())
    var configuration = Configuration()
    configuration.stateFolder = root.appending("state")
    configuration.deviceName = "mac"
    configuration.monitors = false
    configuration.clock = clock
    // Nothing is pruned: a state that was torn has to be among the versions.
    configuration.retention.last = 1_000_000
    _ = try SyncedDatabase.initialize(path: database.string, configuration: configuration)
    // Later than anything that is done here; files have the real time.
    clock.advance(milliseconds: 3_600_000)
    store = try SyncedDatabase(path: database.string, configuration: configuration)
    states = [try live]
    for _ in 0..<3 { try edit() }
  }

  private var database: FilePath { root.appending("folder").appending("openwo.sqlite") }
  private var copy: FilePath {
    database.removingLastComponent()
      .appending("openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite")
  }
  private var live: [UInt8] { get throws { try bytes(database) } }

  private func bytes(_ path: FilePath) throws -> [UInt8] {
    try files.readSmall(path, limit: 1 << 30)
  }

  private func contents() throws -> Set<ContentHash> {
    Set(try store.history().map(\.version.content))
  }

  private func edit() throws {
    try shell(statement(), database)
    _ = try store.reconcile()
    states.append(try live)
  }

  private func put(_ bytes: [UInt8], at path: FilePath, inPlace: Bool) throws {
    if inPlace {
      try Data(bytes).write(to: URL(fileURLWithPath: path.string))
    } else {
      try AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
    }
  }
}

/// Torn files.
extension TornBench {
  /// Tears a file of two of the states, and answers how and what is wrong with what became of it.
  package func tear() throws -> (how: Tear, wrong: [String]) {
    while true {
      guard let (torn, how) = tornFile() else { continue }
      let asCopy = random.chance(0.2)
      let known = try contents()
      let before = try live
      try put(torn, at: asCopy ? copy : database, inPlace: !asCopy && random.chance(0.5))
      _ = try store.reconcile()
      var wrong: [String] = []
      if try live != before { wrong.append("the live file is another one") }
      if try contents() != known { wrong.append("it is a version") }
      if asCopy { try? files.unlink(copy) }
      return (how, wrong.map { "\(how)\(asCopy ? ", as a copy" : ""): \($0)" })
    }
  }

  private func tornFile() -> (bytes: [UInt8], how: Tear)? {
    let (old, new) = (random.number(0...states.count - 1), random.number(0...states.count - 1))
    let how = Tear.allCases[random.number(0...Tear.allCases.count - 1)]
    guard old != new,
      let torn = how.tear(states[old], states[new], pageSize: 4096, with: &random),
      !states.contains(Self.database(in: torn))
    else { return nil }
    return (torn, how)
  }

  /// A file up to the last page that its header counts; later bytes are not part of the database.
  private static func database(in file: [UInt8]) -> [UInt8] {
    let count = file[28..<32].reduce(0) { $0 << 8 | Int($1) }
    return Array(file.prefix(count * 4096))
  }
}

/// Edits.
extension TornBench {
  private func statement() -> String {
    let id = random.number(1...400)
    return switch random.number(0...11) {
    case 0: "UPDATE t SET n = n + 1 WHERE id = \(id)"
    case 1: "UPDATE t SET v = 'edited \(id)' WHERE id = \(id)"
    case 2: "UPDATE t SET v = v || '.', n = n + 1 WHERE id % 20 = \(id % 20)"
    case 3: "INSERT INTO t(v, body) SELECT v, randomblob(300) FROM t LIMIT \(id)"
    case 4: "UPDATE t SET n = 1 - n"
    case 5: "UPDATE t SET v = replace(v, 'note', 'neto')"
    case 6: "DELETE FROM t WHERE id = (SELECT max(id) FROM t)"
    case 7: "DELETE FROM t WHERE id % 7 = \(id % 7); VACUUM"
    case 8: "CREATE TABLE IF NOT EXISTS x\(id)(a); INSERT INTO x\(id) VALUES(1)"
    // A number that was there before would be no edit.
    case 9: "PRAGMA user_version = \(random.number(1_000...1_000_000_000))"
    case 10: "REPLACE INTO w VALUES('key \(id)', \(id)); REINDEX"
    default:
      "BEGIN; UPDATE t SET n = 0 WHERE id = \(id); SAVEPOINT a; DELETE FROM w; ROLLBACK TO a; COMMIT"
    }
  }

  /// Edits the database as a person does, or as somebody whose copy a service puts beside it; answers what is wrong with what became of it.
  package func editAsAnybody() throws -> [String] {
    random.chance(0.25) ? try editCopy() : try editLive()
  }

  private func editLive() throws -> [String] {
    let sql = statement()
    try shell(sql, database)
    let edited = try live
    _ = try store.reconcile()
    if hasBeenThere(edited) {
      return try isKept(edited) ? [] : ["\(sql): it only repeats pages and is kept nowhere"]
    }
    var wrong: [String] = []
    if try live != edited { wrong.append("the edit is gone") }
    if try !contents().contains(ContentHash(of: edited)) { wrong.append("it is no version") }
    return wrong.map { "\(sql): \($0)" }
  }

  /// Somebody else's edit of an older state.
  private func editCopy() throws -> [String] {
    let sql = statement()
    let state = states[random.number(0...states.count - 1)]
    try put(state, at: copy, inPlace: false)
    try shell(sql, copy)
    let edited = try bytes(copy)
    _ = try store.reconcile()
    if hasBeenThere(edited) {
      defer { try? files.unlink(copy) }
      return try isKept(edited) ? [] : ["\(sql), in a copy: it only repeats pages and is gone"]
    }
    var wrong: [String] = []
    if try !contents().contains(ContentHash(of: edited)) { wrong.append("it is no version") }
    if try files.statusIfPresent(copy) != nil { wrong.append("it is still there") }
    return wrong.map { "\(sql), in a copy: \($0)" }
  }

  /// Whether each page of an edit was at its place before: the edit changed nothing, undid another
  /// edit or repeated one.
  ///
  /// Nobody can tell it from a file that was torn between those states, so it may be refused, but not lost.
  private func hasBeenThere(_ edited: [UInt8]) -> Bool {
    if past.isEmpty { for state in states { past.formUnion(Self.pages(state)) } }
    let pages = Self.pages(edited)
    defer { past.formUnion(pages) }
    guard past.isSuperset(of: pages) else { return false }
    repeated += 1
    return true
  }

  private static func pages(_ content: [UInt8]) -> [Page] {
    stride(from: 0, to: content.count, by: 4096).map {
      Page(number: $0, bytes: content[$0..<min($0 + 4096, content.count)])
    }
  }

  /// Whether a content is a version, a file that is still in its place, or in quarantine.
  private func isKept(_ content: [UInt8]) throws -> Bool {
    if try contents().contains(ContentHash(of: content)) { return true }
    if try files.statusIfPresent(copy) != nil { return try bytes(copy) == content }
    let all = FileManager.default.enumerator(atPath: root.appending("state").string)
    let aside = all?.compactMap { $0 as? String }.filter { $0.contains("damaged-") } ?? []
    return try aside.contains {
      try bytes(root.appending("state").pushing(FilePath($0))) == content
    }
  }
}
