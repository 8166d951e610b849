import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage
import Testing

@testable import OpenWO

/// Edits under a lock, for every way in which a program saves.
struct LockedEditTests {
  private let files = FileSystem()
  private let request = LockRequest(outlivesProcess: true)

  private func version(_ id: VersionID?, _ rig: Rig) throws -> Version {
    try #require(try rig.on("mac") { try $0.history() }.map(\.version).first { $0.id == id })
  }

  @Test(arguments: [["mac"], ["phone", "mac"]])
  func `an earlier state that is put back by renaming under a lock is the edit`(
    devices: [String]
  ) throws {
    let rig = try Rig(devices)
    try rig.start()
    let old = rig.place.root.appending("old")
    try rig.copy(rig.database("mac"), old)
    try rig.write("mac", "two")
    let start = try #require(try rig.on("mac") { try $0.lock(request) }.lock.head)
    try files.rename(old, to: rig.database("mac"))
    let edit = try rig.command("mac") { try $0.unlock() }
    let made = try version(edit.version, rig)
    #expect(made.parents == [start] && made.reason == .restore)
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try rig.rows("mac") == ["one"])
    // It can be undone, like any other.
    _ = try rig.on("mac") { try $0.restore(start) }
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `under a lock, a known state that the edit does not follow from is a rival`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    let start = try #require(try rig.on("mac") { try $0.lock(request) }.lock.head)
    try rig.write("phone", "three")
    try rig.deliver("phone", "mac")
    let edit = try rig.command("mac") { try $0.unlock() }
    #expect(try !version(edit.version, rig).parents.contains(start))
  }

  /// As `VACUUM INTO` and a rename do.
  @Test func `a new file under a lock is an edit of the live version if no other device is known`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO t SELECT i, hex(randomblob(200)) FROM n
      """)
    let start = try #require(try rig.on("mac") { try $0.lock(request) }.lock.head)
    let new = rig.place.root.appending("new")
    try rig.place.sqlite3("VACUUM INTO '\(new)'", rig.database("mac"))
    try rig.place.sqlite3("DELETE FROM t WHERE id > 19; UPDATE t SET v = id; VACUUM", new)
    try files.rename(new, to: rig.database("mac"))
    let edit = try rig.command("mac") { try $0.unlock() }
    #expect(try version(edit.version, rig).parents == [start])
    #expect(try rig.rows("mac").count == 19)
  }

  /// A program wrote twice before anybody looked, and the second time it was cut short.
  @Test func `the state after a discard is live, even if there was an unproven journal`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO t SELECT i, printf('%.300c', 'x') FROM n
      """)
    _ = try rig.on("mac") { try $0.lock(request) }
    let live = rig.database("mac")
    try rig.place.sqlite3("UPDATE t SET v = 'edit' || substr(v, 5) WHERE id = 7", live)
    try rig.place.sqlite3(
      "PRAGMA cache_size = 2; BEGIN; UPDATE t SET v = 'cut' || substr(v, 4)", live, thenKilled: true
    )
    #expect(try files.statusIfPresent(FilePath(live.string + "-journal")) != nil)
    _ = try rig.command("mac") { try $0.unlock(UnlockRequest(discard: true)) }
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try rig.rows("mac").allSatisfy { $0.hasPrefix("x") })
  }

  @Test func `a log that a program left beside a removed database does not bring its rows back`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(request) }
    let live = rig.database("mac")
    try rig.place.sqlite3(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; INSERT INTO t(v) VALUES('discarded')
      """, live, thenKilled: true)
    let log = FilePath(live.string + "-wal")
    let rows = try rig.place.bytes(log)
    try files.unlink(live)
    _ = try rig.command("mac") { try $0.unlock(UnlockRequest(discard: true)) }
    #expect(
      try files.list(rig.folder("mac")).map(\.string).sorted() == [
        "openwo.sqlite", "openwo.sqlite.openwo",
      ])
    #expect(try rig.place.sqlite3("SELECT v FROM t", live) == "one\n")
    #expect(try rig.evidence("mac", "log").contains(rows))
  }

  @Test func `an unlock on a full disk says that the lock is kept, and how to end it`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(request) }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    var configuration = rig.configuration("mac")
    configuration.opensAsFound = true
    configuration.files = FileSystem(observer: Refusal(.open, "/pending/", .noSpace, isOn: true))
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let full = #expect(throws: StoreError.self) { try store.unlock() }
    #expect(full?.code == .noSpace)
    #expect(full?.message.contains("the lock and the edit are kept") == true)
    #expect(full?.hint.contains("openwo unlock \(rig.database("mac"))") == true)
    try store.close()
    _ = try rig.command("mac") { try $0.unlock() }
  }
}
