import Corpora
import FoundationEssentials
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Torn files as services leave them, and edits as people make them: no torn one becomes a version, no edit is taken for a torn file.
struct TornFilesTests {
  private static let isLong = ProcessInfo.processInfo.environment["OPENWO_LONG"] != nil
  private static let batches = UInt64(1)...(isLong ? 400 : 2)
  /// The long form has 200,000 torn files and 20,000 edits.
  private static let tornInBatch = isLong ? 500 : 50
  private static let editsInBatch = isLong ? 50 : 8

  @Test(arguments: batches)
  func `a torn file is never a version and never stays`(batch: UInt64) throws {
    let bench = try TornBench(seed: batch)
    var count = 0
    while count < Self.tornInBatch {
      guard let torn = try bench.tear() else { continue }
      count += 1
      switch count % 5 {
      case 0: try bench.expectRefused(asCopy: torn.bytes, "\(batch)/\(count): \(torn.how)")
      default: try bench.expectRefused(torn.bytes, "\(batch)/\(count): \(torn.how)")
      }
    }
  }

  @Test(arguments: batches)
  func `an edit by any program is a version`(batch: UInt64) throws {
    let bench = try TornBench(seed: batch)
    for number in 1...Self.editsInBatch {
      if number % 4 == 0 {
        try bench.expectCapturedAsCopy("\(batch)/\(number)")
      } else {
        try bench.expectCaptured("\(batch)/\(number)")
      }
    }
  }
}

/// A store of several versions, whose file is torn and edited from outside.
private final class TornBench {
  private let rig: Rig
  private let store: SyncedDatabase
  private let files = FileSystem()
  private var random: SeededRandom
  private var states: [[UInt8]] = []

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, n INT, body BLOB); CREATE INDEX t_n ON t(n);
      CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 400)
      INSERT INTO t SELECT i, 'note ' || i, i % 17, randomblob(abs(random()) % 400) FROM c;
      INSERT INTO w SELECT 'key ' || id, v FROM t WHERE id % 3 = 0;
      """)
    // Later than anything that the test does; files have the real time.
    rig.clock.advance(milliseconds: 3_600_000)
    store = try rig.open("mac")
    states = [try live]
    for _ in 0..<3 { try edit() }
  }

  private var database: FilePath { rig.database("mac") }
  private var copy: FilePath {
    rig.folder("mac").appending("openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite")
  }
  private var live: [UInt8] { get throws { try rig.place.bytes(database) } }

  private func contents() throws -> Set<ContentHash> {
    Set(try store.history().map(\.version.content))
  }

  private func edit() throws {
    try rig.place.sqlite3(statement(), database)
    _ = try store.reconcile()
    states.append(try live)
  }

  private func put(_ bytes: [UInt8], at path: FilePath, inPlace: Bool) throws {
    if inPlace {
      let url = URL(fileURLWithPath: path.string)
      try Data(bytes).write(to: url)
    } else {
      try AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
    }
  }
}

/// Torn files.
extension TornBench {
  func tear() throws -> (bytes: [UInt8], how: Tear)? {
    let (old, new) = (random.number(0...states.count - 1), random.number(0...states.count - 1))
    let how = Tear.allCases[random.number(0...Tear.allCases.count - 1)]
    guard old != new,
      let torn = how.tear(states[old], states[new], pageSize: 4096, with: &random),
      !states.contains(torn)
    else { return nil }
    return (torn, how)
  }

  func expectRefused(_ torn: [UInt8], _ what: String) throws {
    let (known, before) = (try contents(), try live)
    try put(torn, at: database, inPlace: random.chance(0.5))
    _ = try store.reconcile()
    #expect(try live == before, "\(what): the live file is another one")
    #expect(try contents() == known, "\(what): it is a version")
  }

  func expectRefused(asCopy torn: [UInt8], _ what: String) throws {
    let (known, before) = (try contents(), try live)
    try put(torn, at: copy, inPlace: false)
    _ = try store.reconcile()
    #expect(try live == before, "\(what): the live file is another one")
    #expect(try contents() == known, "\(what): the copy is a version")
    try? files.unlink(copy)
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

  func expectCaptured(_ what: String) throws {
    let sql = statement()
    try rig.place.sqlite3(sql, database)
    let edited = try live
    _ = try store.reconcile()
    #expect(try live == edited, "\(what): \(sql): the edit is gone")
    let hash = ContentHash(of: edited)
    #expect(try contents().contains(hash), "\(what): \(sql): the edit is no version")
  }

  /// Somebody else's edit of an older state, which a service has put beside the database.
  func expectCapturedAsCopy(_ what: String) throws {
    let sql = statement()
    let state = states[random.number(0...states.count - 1)]
    try put(state, at: copy, inPlace: false)
    try rig.place.sqlite3(sql, copy)
    let hash = ContentHash(of: try rig.place.bytes(copy))
    _ = try store.reconcile()
    let refused = try store.core.with { $0.copies.entries.values.compactMap(\.problem) }
    #expect(try contents().contains(hash), "\(what): \(sql): the copy is no version: \(refused)")
    #expect(try files.statusIfPresent(copy) == nil)
  }
}
