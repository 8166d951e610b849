import Corpora
import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOTestSupport
import SystemPackage
import Testing

/// Captures read what changed and not the whole file; what they note must be what the whole file would give.
struct CheapPathTests {
  private static let isLong = ProcessInfo.processInfo.environment["OPENWO_LONG"] != nil

  @Test(arguments: UInt64(1)...(isLong ? 200 : 5))
  func `a version captured from changed pages is the whole file, byte for byte`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let place = try Place()
    let pageSize = [512, 1024, 4096, 65_536][Int(seed % 4)]
    try place.makeDatabase(
      """
      PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(random.number(0...2));
      CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE INDEX t_v ON t (v);
      CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
      INSERT INTO t (v) VALUES (1), (randomblob(\(seed % 3 == 0 ? 2_000_000 : 20_000)))
      """)
    _ = try place.initialize()
    var configuration = place.configuration()
    if random.chance(0.4) { configuration.capturing = .whenIdle }
    var store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    for step in 0..<24 {
      switch random.number(0...9) {
      case 0...5: try write(store, &random)
      case 6: try place.sqlite3("UPDATE t SET v = \(step) WHERE id = (SELECT max(id) FROM t)")
      case 7: try place.sqlite3("DELETE FROM t WHERE id % 3 = 0; VACUUM")
      case 8: try place.sqlite3("PRAGMA page_size = \(random.chance(0.5) ? 1024 : 8192); VACUUM")
      default:
        try store.close()
        store = try SyncedDatabase(path: place.database.string, configuration: configuration)
      }
      if random.chance(0.7) { try check(store, place) }
    }
    try check(store, place)
    for _ in 0..<6 { try checkDifference(store, place, &random) }
    try store.close()
    try check(store, place)
  }

  /// Compares the difference of two versions, read from the archive, with that of two whole files.
  private func checkDifference(
    _ store: SyncedDatabase, _ place: Place, _ random: inout SeededRandom
  ) throws {
    let history = try store.history().map(\.version.id)
    let (old, new) = (
      history[random.number(0...history.count - 1)], history[random.number(0...history.count - 1)]
    )
    let (first, second) = (place.root.appending("a.sqlite"), place.root.appending("b.sqlite"))
    try store.export(old, to: first.string)
    try store.export(new, to: second.string)
    let whole = try store.diff(from: .file(first), to: .file(second), rows: .all)
    #expect(try store.diff(from: .version(old), to: .version(new), rows: .all) == whole)
    if try store.history().first(where: \.isLive)?.version.id == new {
      #expect(try store.diff(from: .version(old), to: .live, rows: .all) == whole)
    }
  }

  @Test func `a stored version that is damaged is never compared as if it were whole`() throws {
    let place = try Place()
    try place.makeDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a word to find');
      CREATE TABLE large (v); INSERT INTO large VALUES (randomblob(400000))
      """)
    _ = try place.initialize()
    let store = try place.open()
    for number in 2...4 {
      try store.write { try $0.execute("INSERT INTO t VALUES (?, 'more')", number) }
      _ = try store.reconcile()
    }
    let history = try store.history().map(\.version.id)
    func compare() throws -> [Int] {
      try store.diff(from: .version(history[2]), to: .version(history[1])).tables.map(\.inserted)
    }
    #expect(try compare() == [1])
    let folder = place.folder.appending("openwo.sqlite.openwo/versions")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.string)
    where name.hasSuffix(".full") {
      let path = folder.appending(name).string
      var bytes = try #require(FileManager.default.contents(atPath: path))
      let place = try #require(bytes.firstRange(of: Array("a word to find".utf8)))
      bytes[place.lowerBound] = UInt8(ascii: "A")
      try bytes.write(to: URL(filePath: path))
    }
    #expect(throws: StoreError.self) { try compare() }
    try store.close()
  }

  private func write(_ store: SyncedDatabase, _ random: inout SeededRandom) throws {
    let (kind, number) = (random.number(0...6), random.number(1...400))
    try store.write { db in
      switch kind {
      case 0, 1, 2: try db.execute("INSERT INTO t (v) VALUES (?)", number)
      case 3: try db.execute("INSERT INTO t (v) VALUES (randomblob(?))", number * 300)
      case 4: try db.execute("DELETE FROM t WHERE id % 7 = ?", number % 7)
      case 5: try db.execute("INSERT OR REPLACE INTO w VALUES (hex(randomblob(2)), ?)", number)
      default: try db.execute("PRAGMA incremental_vacuum(\(number))")
      }
    }
  }

  /// The version of the live file against the file itself: its hash, and the bytes that the archive gives back.
  private func check(_ store: SyncedDatabase, _ place: Place) throws {
    _ = try store.reconcile()
    let live = try #require(try store.history().first(where: \.isLive)).version
    let bytes = try place.bytes()
    let whole = MemoryContent(bytes)
    #expect(
      try live.content == BlockDigests(size: whole.size) { whole.read(at: $0, into: $1) }.root)
    let copy = place.root.appending("copy.sqlite")
    try store.export(live.id, to: copy.string)
    #expect(try place.bytes(copy) == bytes)
  }

  @Test func `commits that are captured later are one version of our own, not somebody's edit`()
    throws
  {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    var configuration = place.configuration()
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    for number in 2...9 {
      try store.write { try $0.execute("INSERT INTO t VALUES (?, 'x')", number) }
    }
    #expect(try store.history().map(\.version.reason) == [.create])
    _ = try store.reconcile()
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    try check(store, place)
    try store.close()
  }
}
