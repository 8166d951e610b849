import Corpora
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

struct WALTests {
  let scratch: ScratchFolder
  let judge = Judge()

  init() throws {
    scratch = try ScratchFolder()
    try scratch.open("live.db").executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
  }

  /// A program that turns the file to WAL mode and leaves rows in the `-wal` file.
  private func leaveWAL(_ name: String = "live.db") throws {
    let editor = try Shell(scratch(name))
    try editor.run("PRAGMA journal_mode = WAL; INSERT INTO t VALUES(2);")
    editor.kill()
    #expect(try scratch.bytes(name + "-wal").isEmpty == false)
  }

  @Test func `a live connection refuses WAL mode and makes no WAL files`() throws {
    try scratch.open("clean.db").executeScript("CREATE TABLE t(a)")
    try Shell(scratch("clean.db")).run("PRAGMA journal_mode = WAL;")
    for name in ["-wal", "-shm"] where try scratch.exists("clean.db" + name) {
      try scratch.remove("clean.db" + name)
    }
    let before = try scratch.bytes("clean.db")
    let error = #expect(throws: SQLiteError.self) {
      try scratch.open("clean.db", mode: .readWrite, policy: judge.policy)
    }
    #expect(error?.extendedCode == .walRefused)
    #expect(error?.message == "the database is in WAL mode")
    #expect(try scratch.names() == ["clean.db", "live.db"])
    #expect(try scratch.bytes("clean.db") == before)
  }

  @Test func `a checkpoint brings the rows of the WAL into the file`() throws {
    try leaveWAL()
    #expect(throws: SQLiteError.self) {
      try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
    }
    let folding = try scratch.open("live.db", mode: .readWrite, policy: judge.foldPolicy)
    #expect(try folding.header().isWAL)
    #expect(try folding.foldWAL())
    #expect(try folding.foldWAL() == false)
    folding.close()
    #expect(try scratch.names() == ["live.db"])
    let db = try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
    #expect(try db.rows("SELECT a FROM t ORDER BY a") { try $0.get(0) as Int } == [1, 2])
    #expect(try !db.header().isWAL)
  }

  @Test func `a log that may not be removed is emptied, so that no program believes it`() throws {
    let name = RefusedRemoval.ofLog + ".db"
    RefusedRemoval.arrange()
    try scratch.open(name).executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    try leaveWAL(name)
    let folding = try scratch.open(name, mode: .readWrite, policy: judge.foldPolicy)
    #expect(try folding.foldWAL())
    #expect(try !folding.header().isWAL)
    try folding.execute("INSERT INTO t VALUES(3)")
    folding.close()
    #expect(try scratch.bytes(name + "-wal").isEmpty)
    #expect(try scratch.bytes(name)[18...19] == [1, 1])
    let other = try Shell(scratch(name))
    #expect(try other.run("SELECT group_concat(a) FROM t;") == "1,2,3")
  }

  @Test func `the header after a checkpoint is known beforehand`() throws {
    _ = try Shell.run(
      scratch("live.db"),
      "PRAGMA journal_mode = WAL; INSERT INTO t VALUES(2); PRAGMA wal_checkpoint(TRUNCATE);")
    let before = try scratch.bytes("live.db")
    let expected = try #require(DatabaseHeader.folded(Array(before.prefix(DatabaseHeader.size))))
    let folding = try scratch.open("live.db", mode: .readWrite, policy: judge.foldPolicy)
    #expect(try folding.foldWAL())
    folding.close()
    let folded = try scratch.bytes("live.db")
    #expect(Array(folded.prefix(expected.count)) == expected)
    #expect(folded.dropFirst(expected.count).elementsEqual(before.dropFirst(expected.count)))
    #expect(DatabaseHeader.folded(expected) == nil)
  }

  @Test func `a checkpoint reports which pages it wrote`() throws {
    let before = try scratch.bytes("live.db")
    try leaveWAL()
    let folding = try scratch.open("live.db", mode: .readWrite, policy: judge.foldPolicy)
    #expect(try folding.foldWAL())
    let changed = try folding.takeChangedPages()
    #expect(changed.covers(try scratch.bytes("live.db"), since: before, pageSize: 4096))
  }

  @Test func `a checkpoint gives way to a program that still uses the WAL`() throws {
    try leaveWAL()
    let editor = try Shell(scratch("live.db"))
    try editor.run("BEGIN; SELECT * FROM t;")
    let folding = try scratch.open("live.db", mode: .readWrite, policy: judge.foldPolicy)
    let error = #expect(throws: SQLiteError.self) { try folding.foldWAL() }
    #expect(error?.code == .busy)
    try editor.run("COMMIT;")
    editor.kill()
    #expect(try folding.foldWAL())
  }

  @Test func `a stray WAL beside a database in rollback mode is ignored and stays`() throws {
    try leaveWAL()
    let stray = try scratch.bytes("live.db-wal")
    try scratch.open("live.db", policy: judge.foldPolicy).foldWAL()
    try scratch.write(stray, to: "live.db-wal")
    let db = try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
    try db.execute("INSERT INTO t VALUES(3)")
    #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 3)
    #expect(try scratch.names() == ["live.db", "live.db-wal"])
    #expect(try scratch.bytes("live.db-wal") == stray)
  }
}
