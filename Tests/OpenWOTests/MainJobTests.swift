import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

struct MainJobTests {
  @Test func `a written row is in the live file and in the history`() throws {
    let place = try Place()
    try place.makeDatabase()
    let made = try place.initialize()
    let store = try place.open()
    try store.write { db in try db.execute("INSERT INTO t VALUES(2,'two')") }
    let count = try store.read { db in try db.value("SELECT count(*) FROM t", as: Int.self) }
    #expect(count == 2)
    #expect(try place.sqlite3("SELECT v FROM t ORDER BY id") == "one\ntwo\n")
    let history = try store.history()
    #expect(history.map(\.version.reason) == [.write, .create])
    #expect(history.last?.version.id == made.head)
    #expect(history.first?.isLive == true)
    try store.close()
    #expect(try store.history().allSatisfy(\.isPublished))
  }

  @Test func `a violated constraint reaches the app as SQLite's error, and nothing is written`()
    throws
  {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    do {
      try store.write { db in
        try db.execute("INSERT INTO t VALUES(2,'two')")
        try db.execute("INSERT INTO t VALUES(1,'one again')")
      }
      Issue.record("it was written")
    } catch let error as SQLiteError {
      #expect(error.extendedCode == .primaryKey)
    }
    #expect(try place.sqlite3("SELECT count(*) FROM t") == "1\n")
    #expect(try store.history().count == 1)
  }

  @Test func `a restored version stays restored and can be undone`() throws {
    let place = try Place()
    try place.makeDatabase()
    let made = try place.initialize()
    let before = try place.bytes()
    let store = try place.open()
    try store.write { db in try db.execute("INSERT INTO t VALUES(2,'two')") }
    try store.close()
    let after = try place.bytes()
    let report = try store.restore(made.head)
    #expect(try place.bytes() == before)
    try store.close()
    let again = try place.open()
    #expect(try again.read { try $0.value("SELECT count(*) FROM t", as: Int.self) } == 1)
    #expect(try place.bytes() == before)
    _ = try again.restore(report.previous)
    #expect(try place.bytes() == after)
    #expect(try again.history().map(\.version.reason) == [.restore, .restore, .write, .create])
  }

  @Test func `an edit under a lock is captured as one version and described`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let desk = try place.open("phone")
    let lock = try desk.lock(LockRequest(note: "editing", outlivesProcess: true))
    #expect(lock.lock.note == "editing")
    #expect(throws: StoreError.self) { try desk.write { try $0.execute("DELETE FROM t") } }
    #expect(try desk.read { try $0.value("SELECT count(*) FROM t", as: Int.self) } == 1)
    try place.sqlite3("UPDATE t SET v='uno'; INSERT INTO t VALUES(7,'seven')")
    #expect(try desk.read { try $0.value("SELECT v FROM t", as: String.self) } == "one")
    let report = try desk.unlock()
    #expect(report.version != nil)
    #expect(report.changes == [TableChange(table: "t", inserted: 1, updated: 1, deleted: 0)])
    #expect(!report.schemaChanged)
    #expect(try desk.read { try $0.value("SELECT count(*) FROM t", as: Int.self) } == 2)
    #expect(try desk.history().first?.version.reason == .edit)
  }

  @Test(arguments: [
    "DELETE FROM t WHERE id > 100", "SELECT * FROM t", "UPDATE t SET v = v WHERE id < 0",
    "PRAGMA incremental_vacuum",
  ])
  func `a write without changes makes no version and is not an error`(sql: String) throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    let before = try FileSystem().lstat(place.database)
    try store.write { try $0.execute(sql) }
    #expect(try FileSystem().lstat(place.database) == before)
    #expect(try store.history().count == 1)
    try store.write { try $0.execute("INSERT INTO t VALUES(7, 'seven')") }
    #expect(try store.history().count == 2)
  }

  @Test func `a lock without an edit changes nothing`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    let files = FileSystem()
    let before = try files.lstat(place.database)
    _ = try store.lock(LockRequest(outlivesProcess: true))
    let report = try store.unlock()
    #expect(report.version == nil)
    #expect(try files.lstat(place.database) == before)
    #expect(try store.history().count == 1)
  }

  @Test func `a discarded edit is gone from the live file and stays in the history`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let before = try place.bytes()
    let store = try place.open()
    _ = try store.lock(LockRequest(outlivesProcess: true))
    try place.sqlite3("DELETE FROM t")
    _ = try store.unlock(UnlockRequest(discard: true))
    #expect(try place.bytes() == before)
    #expect(try store.history().map(\.version.reason) == [.restore, .edit, .create])
  }

  @Test func `a file renamed over the live file is read and captured`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    #expect(try store.read { try $0.value("SELECT count(*) FROM t", as: Int.self) } == 1)
    let other = place.root.appending("other.sqlite")
    try place.sqlite3("VACUUM INTO '\(other.string)'")
    try place.sqlite3("INSERT INTO t VALUES(3,'three')", other)
    try FileSystem().rename(other, to: place.database)
    #expect(try store.read { try $0.value("SELECT count(*) FROM t", as: Int.self) } == 2)
    // No other device is known and all rows are there, so it is the next version and no conflict.
    #expect(try store.history().map(\.version.reason) == [.external, .create])
  }

  @Test func `a file renamed over the live file during a write loses neither side`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    let other = place.root.appending("other.sqlite")
    try place.sqlite3("VACUUM INTO '\(other.string)'")
    try place.sqlite3("INSERT INTO t VALUES(3,'three')", other)
    var told: StoreError?
    do {
      try store.write { db in
        try db.execute("INSERT INTO t VALUES(4,'four')")
        try FileSystem().rename(other, to: place.database)
      }
    } catch let error as StoreError {
      told = error
    }
    let live = try store.read {
      try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String }
    }
    if live.contains("four") {
      #expect(told == nil)
    } else {
      #expect(told?.code == .setAside)
      let id = try #require(told?.version)
      _ = try store.restore(id)
      let rows = try store.read {
        try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String }
      }
      #expect(rows == ["one", "four"])
    }
    #expect(try store.history().count >= 4)
  }
}
