import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// Quirks of services that would lose a commit without special care.
struct QuirksTests {
  @Test func `after a burst the file's time is far from that of every commit in it`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    var times: [Int64] = []
    for value in ["a", "b", "c"] {
      try store.write { try $0.execute("UPDATE t SET v = ?", value) }
      times.append(try FileSystem().lstat(place.database).mtime)
    }
    try store.close()
    let last = try FileSystem().lstat(place.database).mtime
    #expect(times.allSatisfy { last - $0 >= 3_000_000_000 })
    let again = try place.open()
    #expect(try again.status().state == .synced)
    try again.close()
    #expect(try FileSystem().lstat(place.database).mtime == last)
  }

  @Test func `a program's commit right before the file's time is moved is captured`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    var configuration = place.configuration()
    let ambush = Ambush { $0.kind == .setTimes && $0.path == place.database }
    ambush.arm {
      _ = try? place.sqlite3("INSERT INTO t(v) VALUES('program')")
    }
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    for value in ["a", "b"] { try store.write { try $0.execute("UPDATE t SET v = ?", value) } }
    try store.close()
    #expect(ambush.hasActed)
    let live = try place.sqlite3("SELECT v FROM t")
    let again = try place.open()
    #expect(try again.status().state == .synced)
    let newest = try #require(try again.history().first).version.id
    try again.export(newest, to: place.root.appending("shown.sqlite").string)
    #expect(try place.sqlite3("SELECT v FROM t", place.root.appending("shown.sqlite")) == live)
    try again.close()
  }

  @Test func `a single commit long after the last one is left alone`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    try FileSystem().setTimes(place.database, modified: 1_700_000_000_000_000_000)
    let store = try place.open()
    try store.write { try $0.execute("UPDATE t SET v = 'x'") }
    let after = try FileSystem().lstat(place.database).mtime
    try store.close()
    #expect(try FileSystem().lstat(place.database).mtime == after)
  }

  @Test func `a file that is missing for a moment is waited for and never made`() throws {
    let rig = try Rig()
    try rig.start()
    let database = rig.database("phone")
    let aside = rig.place.root.appending("aside")
    let before = try FileSystem().lstat(database).inode
    try FileSystem().rename(database, to: aside)
    var configuration = rig.configuration("phone")
    // The service puts it back while the write waits.
    configuration.clock = ManualClock(now: SystemClock().now()) { _ in
      try? FileSystem().rename(aside, to: database)
    }
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    #expect(try FileSystem().lstat(database).inode == before)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
  }

  @Test func `an empty file in the place of the database is repaired`() throws {
    let rig = try Rig()
    try rig.start()
    try AtomicFile.write([], to: rig.database("phone"), fileSystem: FileSystem())
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("phone") == ["one"])
  }

  @Test func `a database that a tool switched to WAL comes back as one file with all rows`() throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('wal')", rig.database("phone"),
      thenKilled: true)
    #expect(try FileSystem().list(rig.folder("phone")).contains { $0.string.hasSuffix("-wal") })
    #expect(try rig.rows("phone") == ["one", "wal"])
    #expect(try FileSystem().list(rig.folder("phone")).count == 2)
    #expect(try rig.place.bytes(rig.database("phone"))[18...19] == [1, 1])
  }

  @Test func `a database that came in WAL mode does not win over rows left behind`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('wal')", rig.database("phone"),
      thenKilled: true)
    // The service takes the file without its log.
    try rig.copy(rig.database("phone"), rig.database("mac"))
    #expect(try rig.place.bytes(rig.database("mac"))[18...19] == [2, 2])
    #expect(try rig.rows("phone") == ["one", "wal"])
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one"])
    try rig.settle()
    #expect(try rig.rows("mac") == ["one", "wal"])
    #expect(try rig.place.bytes(rig.database("phone")) == rig.place.bytes(rig.database("mac")))
  }

  @Test func `an edit by a program that knows nothing of openwo becomes a version`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("phone") == ["one", "by hand"])
    #expect(try rig.on("phone") { try $0.history() }.first?.version.reason == .external)
  }
}
