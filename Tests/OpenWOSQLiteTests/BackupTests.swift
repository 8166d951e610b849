import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Testing

struct BackupTests {
  let scratch: ScratchFolder
  let source: Connection

  init() throws {
    scratch = try ScratchFolder()
    source = try scratch.open("source.db")
    try source.executeScript(
      """
      CREATE TABLE t(a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT randomblob(1000) FROM n
      """)
  }

  @Test func `a backup has the same content and reports its progress`() throws {
    let copy = try scratch.open("copy.db")
    var steps: [BackupProgress] = []
    try source.backup(to: copy, pagesPerStep: 50) { steps.append($0) }
    #expect(steps.count == (steps[0].total + 49) / 50)
    #expect(steps.map(\.remaining) == steps.map(\.remaining).sorted(by: >))
    #expect(steps.last?.remaining == 0)
    let query = "SELECT hex(a) FROM t ORDER BY rowid"
    let rows = try copy.rows(query) { try $0.get(0) as String }
    #expect(try source.rows(query) { try $0.get(0) as String } == rows)
    #expect(try copy.integrityCheck() == [])
    #expect(!source.isInTransaction)
  }

  @Test func `an abandoned backup leaves its destination as it was`() throws {
    struct Stop: Error {}
    let copy = try scratch.open("copy.db")
    try copy.executeScript("CREATE TABLE before(a)")
    #expect(throws: Stop.self) {
      try source.backup(to: copy, pagesPerStep: 1) { if $0.remaining < 100 { throw Stop() } }
    }
    #expect(try copy.value("SELECT name FROM sqlite_schema") == "before")
    #expect(!source.isInTransaction)
  }

  @Test func `a destination that is in use is an error`() throws {
    let copy = try scratch.open("copy.db")
    try copy.executeScript("CREATE TABLE before(a)")
    let other = try Shell(scratch("copy.db"))
    try other.run("BEGIN IMMEDIATE;")
    let error = #expect(throws: SQLiteError.self) { try source.backup(to: copy) }
    #expect(error?.code == .busy)
    #expect(throws: SQLiteError.self) { try source.backup(to: source) }
  }

  @Test func `an interrupt from another thread stops a statement`() throws {
    let token = source.interruptToken
    let running = DispatchSemaphore(value: 0)
    // A thread of its own: where every thread of the pool waits for a program, no task would ever come to it.
    Thread {
      running.wait()
      token.interrupt()
    }.start()
    let error = #expect(throws: SQLiteError.self) {
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
      try source.forEach(endless) { _ in running.signal() }
    }
    #expect(error?.code == .interrupt)
    #expect(try source.value("SELECT count(*) FROM t") == 500)
    source.close()
    token.interrupt()
  }
}
