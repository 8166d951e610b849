import Corpora
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

@Suite struct SettingsTests {
  let scratch: ScratchFolder
  let judge = Judge()

  init() throws {
    scratch = try ScratchFolder()
    try scratch.open("live.db").executeScript("CREATE TABLE t(a)")
  }

  private func pragma(_ name: String, _ db: Connection) throws -> String {
    switch try db.value("PRAGMA \(name)", as: Value.self) {
    case .integer(let number): "\(number)"
    case .text(let text): text
    default: "none"
    }
  }

  @Test(
    arguments: [
      ("journal_mode", "delete"), ("synchronous", "3"), ("cache_spill", "0"), ("foreign_keys", "1"),
      ("trusted_schema", "0"), ("locking_mode", "normal"), ("mmap_size", "0"),
    ])
  func `a live file has the settings that keep it safe`(name: String, value: String) throws {
    let db = try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
    #expect(try pragma(name, db) == value)
  }

  @Test func `a live file cannot be switched to WAL mode`() throws {
    let db = try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
    #expect(try pragma("journal_mode = WAL", db) == "delete")
    try db.execute("INSERT INTO t VALUES(1)")
    #expect(try !db.header().isWAL)
    #expect(try scratch.names() == ["live.db"])
  }

  @Test func `a missing file is made only on request`() throws {
    for mode in [Connection.Options.Mode.readOnly, .readWrite] {
      let error = #expect(throws: SQLiteError.self) { try scratch.open("new.db", mode: mode) }
      #expect(error?.code == .cannotOpen)
      #expect(try !scratch.exists("new.db"))
    }
    try scratch.open("new.db", mode: .create).executeScript("CREATE TABLE t(a)")
    #expect(try scratch.exists("new.db"))
  }

  @Test func `a read-only connection cannot write`() throws {
    let db = try scratch.open("live.db", mode: .readOnly)
    let error = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES(1)") }
    #expect(error?.code == .readOnly)
  }

  @Test func `an immutable file is read despite a journal, and no file is made`() throws {
    let name = "a b?c#d%41&e='\"ü.db"
    try scratch.move("live.db", to: name)
    let journal = HostileJournal(pageCount: 1).bytes
    try scratch.write(journal, to: name + "-journal")
    let db = try Connection(
      path: scratch(name), .init(mode: .readOnly, immutable: true, guardPolicy: judge.policy))
    #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 0)
    #expect(judge.asked == 0)
    #expect(try scratch.names() == [name, name + "-journal"].sorted())
    #expect(try scratch.bytes(name + "-journal") == journal)
  }

  @Test func `an untrusted file cannot run triggers, views or expensive values`() throws {
    try scratch.open("live.db").executeScript(
      """
      CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; END
      """)
    let db = try Connection(
      path: scratch("live.db"), .init(guardPolicy: .privateCopy, untrusted: true))
    #expect(throws: SQLiteError.self) { try db.value("SELECT count(*) FROM v", as: Int.self) }
    try db.execute("INSERT INTO t VALUES(1)")
    #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 1)
    let error = #expect(throws: SQLiteError.self) {
      try db.value("SELECT length(zeroblob(2000000))", as: Int.self)
    }
    #expect(error?.code == .tooBig)
    #expect(throws: SQLiteError.self) {
      try db.executeScript("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
    }
    #expect(try pragma("cell_size_check", db) == "1")
  }

  @Test func `a connection past its time limit stops an endless statement`() throws {
    let db = try Connection(
      path: scratch("live.db"),
      .init(mode: .readOnly, guardPolicy: .privateCopy, timeLimit: .milliseconds(50)))
    let error = #expect(throws: SQLiteError.self) {
      try db.value(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
        as: Int.self)
    }
    #expect(error?.code == .interrupt)
    #expect(error?.message == "the connection was open for longer than allowed")
  }
}
