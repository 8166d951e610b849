import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

/// Locks belong to the process that took them; a child that kept using them would destroy the file.
///
/// Each test forks in a process of its own, where no other thread can hold a lock at that moment.
struct ForkTests {
  @Test func `a forked child cannot read or write`() async {
    await #expect(processExitsWith: .success) {
      let forking = try Forking()
      let db = forking.db
      try #require(try forking.child { _ = try db.value("SELECT a FROM t", as: Int.self) })
      try #require(try forking.child { try db.execute("INSERT INTO t VALUES(2)") })
      try #require(try forking.child { try db.transaction(.immediate) {} })
      try #require(try db.rows("SELECT a FROM t") { try $0.get(0) as Int } == [1])
    }
  }

  @Test func `a forked child cannot end its parent's transaction`() async {
    await #expect(processExitsWith: .success) {
      let forking = try Forking()
      let (db, scratch) = (forking.db, forking.scratch)
      try db.transaction {
        try db.execute("INSERT INTO t VALUES(2)")
        let before = try scratch.bytes("a.db-journal")
        try #require(try forking.child { try db.executeScript("COMMIT") })
        try #require(
          try forking.child {
            _ = try? db.executeScript("ROLLBACK")
            db.close()
            throw SQLiteError(.forked, "closed")
          })
        try #require(try scratch.bytes("a.db-journal") == before)
        let other = try Shell.run(scratch("a.db"), "BEGIN IMMEDIATE;")
        try #require(other.contains("locked"))
      }
      try #require(try db.rows("SELECT a FROM t") { try $0.get(0) as Int } == [1, 2])
      try #require(try db.integrityCheck() == [])
    }
  }
}

/// A database, and children of this process that try to use it.
private struct Forking {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
    try db.executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
  }

  /// Runs `body` in a forked child and returns whether it failed as it must there.
  func child(_ body: () throws -> Void) throws -> Bool {
    typealias Fork = @convention(c) () -> Int32
    let symbol = try #require(dlsym(nil, "fork"))
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      do { try body() } catch { _exit((error as? SQLiteError)?.extendedCode == .forked ? 0 : 1) }
      _exit(1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    return status == 0
  }
}
