import Corpora
import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

/// Events between a commit and the check that it is in the file.
struct CommitCheckTests {
  private func open(_ rig: Rig, _ ambush: Ambush) throws -> SyncedDatabase {
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    return try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
  }

  /// Writes twice; a service overwrites the second write with the state before both, and that write
  /// is not reported as done.
  private func writeTwice(_ rig: Rig, overwritten ambush: Ambush, _ rows: String = "") throws {
    let older = rig.place.root.appending("older.sqlite")
    try rig.copy(rig.database("mac"), older)
    let store = try open(rig, ambush)
    try store.write { try $0.execute("UPDATE t SET v = 'two' \(rows)") }
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute("UPDATE t SET v = 'three' \(rows)")
        ambush.arm { [place = rig.place, path = rig.database("mac")] in
          // Another process: closing the file in this one would drop SQLite's locks.
          _ = place.run(["cp", older.string, path.string])
        }
      }
    }
    #expect(ambush.hasActed)
    #expect(error?.code == .inDoubt)
    try store.close()
    rig.clock.advance(milliseconds: 60_000)
  }

  @Test func `a commit that a service has just overwritten is not reported as done`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    // Between the commit and the look at what became of it.
    try writeTwice(rig, overwritten: Ambush { $0.path?.string.hasSuffix("-journal") != true })
    try rig.on("mac") { store in
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown)
        #expect(try ["one\n", "two\n"].contains(rig.place.sqlite3("SELECT v FROM t", shown)))
      }
    }
  }

  @Test func `a commit that is overwritten during its capture is not reported as done`() throws {
    let rig = try Rig(["mac"])
    // So large that what is captured are the pages that changed.
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    let ambush = Ambush { call in
      call.kind == .open && call.path?.string.contains("/pending/") ?? false
    }
    try writeTwice(rig, overwritten: ambush, "WHERE id = 4500")
    try rig.on("mac") { store in
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown)
        #expect(try rig.place.sqlite3("SELECT v FROM t WHERE v = 'three'", shown) == "")
        #expect(try rig.place.sqlite3("PRAGMA integrity_check", shown) == "ok\n")
      }
    }
  }

  @Test func `a write that begins on another program's commit is captured with it`() throws {
    let rig = try Rig(["mac"])
    // So large that what is captured are the pages that changed.
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    let ambush = Ambush { call in
      call.kind == .stat && call.path?.string.hasSuffix("/versions") ?? false
    }
    let store = try open(rig, ambush)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('first')") }
    // The handle is warm and has been looked at; the versions are all that is looked for now.
    ambush.arm { [place = rig.place, path = rig.database("mac")] in
      _ = try? place.sqlite3("UPDATE t SET v = 'between' WHERE id = 4500", path)
    }
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('written')") }
    #expect(ambush.hasActed)
    try store.close()
    let newest = try #require(try store.history().first?.version)
    let shown = rig.place.root.appending("shown.sqlite")
    try store.export(newest.id, to: shown)
    #expect(
      try rig.place.sqlite3("SELECT v FROM t WHERE id = 4500 OR id > 9000", shown)
        == "between\nfirst\nwritten\n")
    #expect(try rig.place.bytes(shown) == rig.place.bytes(rig.database("mac")))
  }

  @Test func `no program that uses locks commits between a commit and its capture`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let insert = "INSERT INTO t(v) VALUES('between')"
    let isRefused = Mutex(false)
    let ambush = Ambush()
    let store = try open(rig, ambush)
    try store.write { db in
      try db.execute("INSERT INTO t(v) VALUES('written')")
      ambush.arm { [place = rig.place, path = rig.database("mac")] in
        let said = try? place.sqlite3(insert, path)
        isRefused.withLock { $0 = said == nil }
      }
    }
    #expect(ambush.hasActed && isRefused.withLock(\.self))
    #expect(try store.history().first?.isLive == true)
    try store.close()
    try rig.place.sqlite3(insert, rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one", "written", "between"])
  }
}
