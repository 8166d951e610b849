import OpenWOFiles
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// The rights of an app in a lent transaction.
struct LentTransactionTests {
  private let place: Place
  private let store: SyncedDatabase

  init() throws {
    place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    store = try place.open()
  }

  private func rows() throws -> [String] {
    try store.read { try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
  }

  @Test func `inside a closure another store can be used, and this one is neither used nor closed`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    let (one, other) = (try rig.open("phone"), try rig.open("mac"))
    try one.write { db in
      try other.write { try $0.execute("INSERT INTO t(v) VALUES('other')") }
      for call in [{ try one.close() }, { _ = try one.history() }] {
        let refused = #expect(throws: StoreError.self) { try call() }
        #expect(refused?.code == .nested)
      }
      try db.execute("INSERT INTO t(v) VALUES('two')")
    }
    try one.close()
    try other.close()
    #expect(try rig.rows("phone") == ["one", "two"] && rig.rows("mac") == ["one", "other"])
  }

  @Test(arguments: [
    "INSERT OR ROLLBACK INTO t(id) VALUES(1)", "ROLLBACK", "COMMIT", "COMMIT; BEGIN",
  ]) func `a write whose transaction ended in its middle is written in no part`(end: String) throws
  {
    let before = try store.history().count
    let error = #expect(throws: (any Error).self) {
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES('first half')")
        try? db.executeScript(end)
        try db.execute("INSERT INTO t(v) VALUES('second half')")
      }
    }
    #expect(error is SQLiteError || (error as? StoreError)?.code == .usage)
    #expect(try rows() == ["one"])
    #expect(try store.history().count == before)
    #expect(try store.status().state == .synced)
  }

  @Test func `a write that silently continues after its end is refused`() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES('first half')")
        _ = try? db.execute("INSERT OR ROLLBACK INTO t(id) VALUES(1)")
        _ = try? db.execute("INSERT INTO t(v) VALUES('second half')")
        try? db.executeScript("BEGIN IMMEDIATE; INSERT INTO t(v) VALUES('third')")
      }
    }
    #expect(error?.code == .usage)
    #expect(error?.message.contains("nothing of it was written") == true)
    #expect(try rows() == ["one"])
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('later')") }
    #expect(try rows() == ["one", "later"])
  }

  @Test func `a read commits nothing, whatever it tries`() throws {
    #expect(throws: (any Error).self) {
      try store.read { try $0.executeScript("COMMIT; INSERT INTO t(v) VALUES('read')") }
    }
    #expect(try rows() == ["one"])
  }

  @Test(arguments: [
    "PRAGMA journal_mode = MEMORY", "PRAGMA main.Journal_Mode(OFF)", "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA cache_spill = ON",
  ]) func `a closure cannot change the settings that keep a commit safe`(sql: String) throws {
    let error = #expect(throws: SQLiteError.self) { try store.write { try $0.executeScript(sql) } }
    #expect(error?.code == .authorization)
    try store.write { db in
      let kept = try ["journal_mode", "synchronous", "locking_mode"].map {
        try db.value("SELECT \($0) || '' FROM pragma_\($0)", as: String.self)
      }
      #expect(kept == ["delete", "3", "normal"])
    }
  }
}
