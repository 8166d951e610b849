import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

struct TransactionTests {
  let scratch: ScratchFolder
  let db: Connection

  struct Stop: Error {}

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
    try db.executeScript("CREATE TABLE t(a)")
  }

  private var numbers: [Int] {
    get throws { try db.rows("SELECT a FROM t ORDER BY rowid") { try $0.get(0) as Int } }
  }

  @Test func `a transaction that returns is committed, and one that throws is rolled back`() throws
  {
    let result = try db.transaction {
      #expect(db.isInTransaction)
      try db.execute("INSERT INTO t VALUES(1)")
      return "done"
    }
    #expect(result == "done")
    #expect(throws: Stop.self) {
      try db.transaction {
        try db.execute("INSERT INTO t VALUES(2)")
        throw Stop()
      }
    }
    #expect(!db.isInTransaction)
    #expect(try numbers == [1])
  }

  @Test func `a nested transaction is undone alone`() throws {
    try db.transaction {
      try db.execute("INSERT INTO t VALUES(1)")
      #expect(throws: Stop.self) {
        try db.transaction(.exclusive) {
          try db.execute("INSERT INTO t VALUES(2)")
          try db.transaction { try db.execute("INSERT INTO t VALUES(3)") }
          throw Stop()
        }
      }
      try db.transaction { try db.execute("INSERT INTO t VALUES(4)") }
    }
    #expect(try numbers == [1, 4])
  }

  @Test func `a transaction that SQLite itself has ended leaves the connection usable`() throws {
    for sql in ["ROLLBACK", "COMMIT", "INSERT OR ROLLBACK INTO u VALUES(1), (1)"] {
      try db.executeScript("DROP TABLE IF EXISTS u; CREATE TABLE u(a UNIQUE)")
      #expect(throws: SQLiteError.self) {
        try db.transaction { try db.transaction { try db.execute(sql) } }
      }
      #expect(!db.isInTransaction)
    }
    try db.transaction { try db.execute("INSERT INTO t VALUES(1)") }
    #expect(try numbers == [1])
  }

  @Test func `the kinds differ in what they keep others from`() throws {
    let other = try Shell(scratch("a.db"))
    let read = "SELECT count(*) FROM t;"
    let write = "BEGIN IMMEDIATE; ROLLBACK;"
    for (kind, sql, allowed) in [
      (TransactionKind.deferred, write, true), (.immediate, write, false), (.immediate, read, true),
      (.exclusive, read, false),
    ] {
      try db.transaction(kind) {
        let output = try Shell.run(scratch("a.db"), sql)
        #expect(output.contains("locked") == !allowed, "\(kind) \(sql)")
      }
    }
    try other.run(read)
  }

  @Test func `a lock of another program is waited for as long as allowed`() throws {
    let other = try Shell(scratch("a.db"))
    try other.run("BEGIN EXCLUSIVE;")
    let patient = try scratch.open(mode: .readOnly, busyTimeout: .milliseconds(60))
    let clock = ContinuousClock()
    let start = clock.now
    let error = #expect(throws: SQLiteError.self) {
      try patient.value("SELECT count(*) FROM t", as: Int.self)
    }
    #expect(error?.code == .busy)
    #expect(clock.now - start >= .milliseconds(50))
    let kind = #expect(throws: SQLiteError.self) { try db.transaction(.immediate) {} }
    #expect(kind?.code == .busy)
    try other.run("COMMIT;")
    #expect(try patient.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `a commit that a reader blocks is undone and can be repeated`() throws {
    let reader = try Shell(scratch("a.db"))
    try reader.run("BEGIN; SELECT * FROM t;")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { try db.execute("INSERT INTO t VALUES(1)") }
    }
    #expect(error?.code == .busy)
    #expect(error?.sql == "COMMIT")
    #expect(!db.isInTransaction)
    try reader.run("COMMIT;")
    #expect(try numbers == [])
    try db.transaction { try db.execute("INSERT INTO t VALUES(2)") }
    #expect(try numbers == [2])
  }

  @Test func `a foreign key that is broken at the end fails the commit`() throws {
    try db.executeScript(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY);
      CREATE TABLE c(p REFERENCES p DEFERRABLE INITIALLY DEFERRED)
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { try db.execute("INSERT INTO c VALUES(7)") }
    }
    #expect(error?.extendedCode == .foreignKey)
    #expect(!db.isInTransaction)
    try db.withoutForeignKeys { try db.execute("INSERT INTO c VALUES(7)") }
    let violation = try #require(try db.foreignKeyViolations().first)
    #expect(violation.table == "c" && violation.parent == "p" && violation.rowID == 1)
    #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO c VALUES(8)") }
  }

  @Test func `nobody changes the file under a read lock`() throws {
    try db.execute("INSERT INTO t VALUES(1)")
    try db.withReadLock {
      let output = try Shell.run(scratch("a.db"), "INSERT INTO t VALUES(2);")
      #expect(output.contains("locked"))
      let inner = try db.withReadLock { try numbers }
      #expect(inner == [1])
    }
    #expect(!db.isInTransaction)
    #expect(throws: Stop.self) { try db.withReadLock { throw Stop() } }
    #expect(!db.isInTransaction)
    try Shell.run(scratch("a.db"), "INSERT INTO t VALUES(2);")
    #expect(try numbers == [1, 2])
  }
}
