import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage
import Testing

/// A conflict copy whose content is not all in its own file: it is left until it is.
struct UnfinishedCopyTests {
  private let files = FileSystem()

  private func rig() throws -> Rig {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    return rig
  }

  private func copy(_ rig: Rig, _ ending: String = "") -> FilePath {
    rig.folder("mac").appending("openwo.sync-conflict-20261121-003549-W42IXU7.sqlite" + ending)
  }

  /// A copy of the database as a program leaves it that dies after some SQL.
  private func leave(_ sql: String, _ rig: Rig) throws {
    try rig.copy(rig.database("mac"), copy(rig))
    try rig.place.sqlite3(sql, copy(rig), thenKilled: true)
    rig.clock.advance(milliseconds: 60_000)
  }

  private func expectLeft(_ rig: Rig, _ ending: String, why: String) throws {
    let before = try (rig.place.bytes(copy(rig)), rig.place.bytes(copy(rig, ending)))
    let live = try rig.place.bytes(rig.database("mac"))
    try rig.on("mac") { store in
      _ = try store.reconcile()
      #expect(try store.conflictedCopies().map(\.problem) == [why])
      #expect(try store.history().count == 1)
    }
    #expect(try rig.place.bytes(copy(rig)) == before.0)
    #expect(try rig.place.bytes(copy(rig, ending)) == before.1)
    #expect(try rig.place.bytes(rig.database("mac")) == live)
    let path = rig.database("mac").string
    let findings = try SyncedDatabase.examine(path: path, configuration: rig.configuration("mac"))
    let finding = findings.first { $0.code == "conflict" }
    #expect(finding?.message.contains(why) == true)
    #expect(finding?.hint?.hasSuffix("sqlite3 \(copy(rig).shellName) .tables") == true)
  }

  /// A journal beside it would have no name.
  @Test func `a copy with a name of maximum length is handled like any other`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let middle = String(
      repeating: "x", count: 255 - "openwo (conflicted copy  2026-11-21 101112).sqlite".count)
    let copy = rig.folder("mac").appending(
      "openwo (conflicted copy \(middle) 2026-11-21 101112).sqlite")
    // SQLite itself cannot write to a file with such a name.
    let made = rig.place.root.appending("made.sqlite")
    try rig.copy(rig.database("mac"), made)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('of a copy')", made)
    try rig.copy(made, copy)
    rig.clock.advance(milliseconds: 120_000)
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.on("mac") { try $0.history() }.count > 1)
  }

  @Test func `half of a transaction does not become a version, and its journal undoes it`() throws {
    let rig = try rig()
    try leave(
      "PRAGMA cache_size = 3; BEGIN IMMEDIATE; UPDATE t SET v = 'half' || substr(v, 5)", rig)
    try expectLeft(rig, "-journal", why: "a transaction in it is not finished: see its journal")
    try rig.place.sqlite3(".tables", copy(rig))
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try files.statusIfPresent(copy(rig)) == nil)
    #expect(try rig.on("mac") { try $0.history() }.count == 1)
  }

  @Test func `rows that are in its log only are not lost with it`() throws {
    let rig = try rig()
    try leave("PRAGMA journal_mode = WAL; INSERT INTO t VALUES(1000, 'log')", rig)
    try expectLeft(rig, "-wal", why: "some of its rows are in the log beside it only")
    try rig.place.sqlite3(".tables", copy(rig))
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac").last == "log")
    #expect(try files.statusIfPresent(copy(rig)) == nil)
  }

  @Test func `files beside a copy may come and go while the copy stays the same`() throws {
    let rig = try rig()
    try rig.copy(rig.database("mac"), copy(rig))
    try rig.place.sqlite3("INSERT INTO t VALUES(1000, 'copy')", copy(rig))
    try AtomicFile.write([1], to: copy(rig, "-wal"), fileSystem: files)
    rig.clock.advance(milliseconds: 60_000)
    let store = try rig.open("mac")
    _ = try store.reconcile()
    #expect(try store.history().count == 1)
    try files.unlink(copy(rig, "-wal"))
    _ = try store.reconcile()
    #expect(try store.history().contains { $0.version.reason == .external })
    #expect(try files.statusIfPresent(copy(rig)) == nil)
    try store.close()
  }

  @Test func `a finished journal and an empty log block nothing`() throws {
    let rig = try rig()
    try rig.copy(rig.database("mac"), copy(rig))
    try rig.place.sqlite3(
      "PRAGMA journal_mode = PERSIST; INSERT INTO t VALUES(1000, 'copy')", copy(rig))
    #expect(try rig.place.bytes(copy(rig, "-journal")).first == 0)
    try AtomicFile.write([], to: copy(rig, "-wal"), fileSystem: files)
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac").last == "copy")
    #expect(try files.statusIfPresent(copy(rig)) == nil)
  }
}
