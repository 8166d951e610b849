import Foundation
import OpenWOSQLite
import SystemPackage
import Testing

/// Locks belong to the process that took them; a child that goes on with them would destroy the file.
@Suite(.timeLimit(.minutes(1))) struct ForkTests {
  let scratch: Scratch
  let db: Connection

  init() throws {
    scratch = try Scratch()
    db = try scratch.open()
    try db.executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
  }

  /// Runs `body` in a forked child and returns whether it returned true.
  private func inChild(_ body: () -> Bool) throws -> Bool {
    typealias Fork = @convention(c) () -> Int32
    let symbol = try #require(dlsym(nil, "fork"))
    let child = unsafeBitCast(symbol, to: Fork.self)()
    if child == 0 {
      alarm(20)
      _exit(body() ? 0 : 1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    return status == 0
  }

  private func isForked(_ body: () throws -> Void) -> Bool {
    do { try body() } catch let error as SQLiteError {
      return error.extendedCode == .forked
    } catch {
      return false
    }
    return false
  }

  @Test func `a forked child cannot read or write`() throws {
    #expect(try inChild { isForked { _ = try db.value("SELECT a FROM t", as: Int.self) } })
    #expect(try inChild { isForked { try db.execute("INSERT INTO t VALUES(2)") } })
    #expect(try inChild { isForked { try db.transaction(.immediate) {} } })
    #expect(try db.rows("SELECT a FROM t") { try $0.get(0) as Int } == [1])
  }

  @Test func `a forked child cannot end its parent's transaction`() throws {
    try db.transaction {
      try db.execute("INSERT INTO t VALUES(2)")
      let before = try scratch.bytes("a.db-journal")
      #expect(try inChild { isForked { try db.executeScript("COMMIT") } })
      #expect(
        try inChild {
          _ = try? db.executeScript("ROLLBACK")
          db.close()
          return true
        })
      #expect(try scratch.bytes("a.db-journal") == before)
      #expect(try Shell.run(scratch.path("a.db"), "BEGIN IMMEDIATE;").contains("locked"))
    }
    #expect(try db.rows("SELECT a FROM t") { try $0.get(0) as Int } == [1, 2])
    #expect(try db.integrityCheck() == [])
  }
}
