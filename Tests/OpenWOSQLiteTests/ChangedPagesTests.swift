import OpenWOSQLite
import OpenWOTestSupport
import Testing

/// The pages that a connection says it wrote, against the file before and after.
@Suite struct ChangedPagesTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func open(pageSize: Int, more: String = "") throws -> Connection {
    let db = try scratch.open()
    try db.executeScript(
      """
      PRAGMA page_size = \(pageSize); \(more);
      CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); CREATE INDEX i ON t(a)
      """)
    _ = try db.takeChangedPages()
    return db
  }

  private func pages(_ db: Connection) throws -> [UInt32] {
    switch try db.takeChangedPages() {
    case .pages(let pages): pages
    case .all: try { throw SQLiteError(.error, "all pages") }()
    }
  }

  @Test(arguments: [512, 1024, 4096, 16384, 65536])
  func `every page that differs is named, and hardly another`(pageSize: Int) throws {
    var random = SplitMix(seed: UInt64(pageSize))
    let db = try open(pageSize: pageSize)
    var named = 0
    var differing = 0
    for _ in 0..<60 {
      let before = try scratch.bytes("a.db")
      try? db.transaction {
        for _ in 0..<Int.random(in: 1...5, using: &random) { try change(db, &random) }
        if Int.random(in: 0..<5, using: &random) == 0 { throw SQLiteError(.abort, "rolled back") }
      }
      let after = try scratch.bytes("a.db")
      #expect(try db.header().pageSize == pageSize)
      let changed = Set(try pages(db))
      let expected = ChangedPages.differing(after, before, pageSize: pageSize)
      #expect(changed.isSuperset(of: expected))
      #expect(changed.allSatisfy { $0 >= 1 && Int($0) <= after.count / pageSize })
      named += changed.count
      differing += expected.count
    }
    #expect(differing > 60)
    #expect(Double(named) < Double(differing) * 1.2)
  }

  private func change(_ db: Connection, _ random: inout SplitMix) throws {
    let id = Int.random(in: 1...500, using: &random)
    let size = Int.random(in: 0...3000, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try db.execute("DELETE FROM t WHERE id BETWEEN ? AND ?", id, id + 100)
    case 1: try db.execute("UPDATE t SET a = ? WHERE id < ?", size, id / 10)
    case 2:
      try? db.transaction {
        try db.execute("INSERT OR REPLACE INTO t VALUES(?, 1, zeroblob(?))", id, size)
        throw SQLiteError(.abort, "back to the savepoint")
      }
    default:
      try db.execute("INSERT OR REPLACE INTO t VALUES(?, random(), randomblob(?))", id, size)
    }
  }

  @Test func `reading and rolling back write nothing`() throws {
    let db = try open(pageSize: 4096)
    #expect(try db.value("SELECT count(*) FROM t") == 0)
    try? db.transaction {
      try db.execute("INSERT INTO t VALUES(1, 2, 3)")
      throw SQLiteError(.abort, "rolled back")
    }
    try db.transaction(.exclusive) {}
    try db.execute("UPDATE t SET a = 1")
    #expect(try pages(db) == [])
  }

  @Test func `changes gather until they are taken`() throws {
    let db = try open(pageSize: 4096)
    try db.execute("INSERT INTO t VALUES(1, 2, randomblob(3000))")
    let first = try pages(db)
    #expect(try pages(db) == [])
    for id in 2...40 { try db.execute("INSERT INTO t VALUES(?, ?, randomblob(3000))", id, id) }
    let rest = try pages(db)
    #expect(first == [1, 2, 3])
    #expect(rest.count > 39)
    #expect(rest == rest.sorted())
  }

  private func fill(_ db: Connection) throws {
    try db.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT i, i, randomblob(100) FROM n
      """)
  }

  /// Runs SQL and checks the pages it names against the file; returns how many it named.
  @discardableResult
  private func check(_ db: Connection, _ sql: String) throws -> Int {
    let before = try scratch.bytes("a.db")
    try db.executeScript(sql)
    let after = try scratch.bytes("a.db")
    let pageSize = try db.header().pageSize
    let changed = try pages(db)
    #expect(
      ChangedPages.differing(after, before, pageSize: pageSize).isSubset(of: changed), "\(sql)")
    return changed.count
  }

  @Test(arguments: [512, 4096])
  func `vacuum, with another page size too`(pageSize: Int) throws {
    let db = try open(pageSize: pageSize)
    try fill(db)
    try check(db, "DELETE FROM t WHERE id % 3 = 0")
    try check(db, "VACUUM")
    for other in [1024, 65536, 512] {
      try check(db, "PRAGMA page_size = \(other); VACUUM")
      #expect(try db.header().pageSize == other)
    }
    try check(db, "DELETE FROM t; VACUUM")
    try check(db, "INSERT INTO t VALUES(1, 2, 3)")
  }

  @Test(arguments: ["FULL", "INCREMENTAL"])
  func `auto_vacuum moves and cuts pages`(mode: String) throws {
    let db = try open(pageSize: 1024, more: "PRAGMA auto_vacuum = \(mode)")
    try fill(db)
    _ = try pages(db)
    let size = try db.fileSize()
    try check(db, "DELETE FROM t WHERE id < 2000; PRAGMA incremental_vacuum(500)")
    #expect(try db.fileSize() < size)
    try check(
      db,
      "INSERT INTO t SELECT id + 10000, a, randomblob(100) FROM t; DELETE FROM t WHERE id < 2500")
  }

  @Test func `a file cut short and grown again within one take`() throws {
    let db = try open(pageSize: 1024)
    try fill(db)
    _ = try pages(db)
    try check(
      db,
      """
      DELETE FROM t WHERE id > 50; VACUUM;
      INSERT INTO t SELECT id + 10000, a, randomblob(5000) FROM t
      """)
  }

  @Test func `pages that spill before the commit, committed or not`() throws {
    let db = try open(pageSize: 1024)
    try fill(db)
    _ = try pages(db)
    try db.executeScript("PRAGMA cache_spill = ON; PRAGMA cache_size = 5")
    let spilled = try check(db, "BEGIN; UPDATE t SET b = randomblob(100); ROLLBACK")
    #expect(spilled > 100)
    try check(db, "BEGIN; UPDATE t SET b = randomblob(120); COMMIT")
    try check(db, "BEGIN; SAVEPOINT s; UPDATE t SET a = 1; ROLLBACK TO s; DELETE FROM t; COMMIT")
  }

  @Test func `a backup into the file`() throws {
    let db = try open(pageSize: 1024)
    try fill(db)
    _ = try pages(db)
    let source = try scratch.open("source.db")
    try source.executeScript("CREATE TABLE other(a); INSERT INTO other VALUES(randomblob(9000))")
    let before = try scratch.bytes("a.db")
    try source.backup(to: db)
    let changed = try db.takeChangedPages()
    let pageSize = try db.header().pageSize
    #expect(changed.covers(try scratch.bytes("a.db"), since: before, pageSize: pageSize))
  }

  @Test func `a new file names all of its pages`() throws {
    let db = try scratch.open("new.db")
    #expect(try db.takeChangedPages() == .pages([]))
    try db.executeScript("CREATE TABLE t(a)")
    #expect(try db.takeChangedPages() == .pages([1, 2]))
  }

  @Test func `another connection's writes do not count as ours`() throws {
    let db = try open(pageSize: 1024)
    let other = try scratch.open()
    try fill(other)
    #expect(try pages(db) == [])
    try check(db, "UPDATE t SET a = -1 WHERE id = 1500")
    try other.executeScript("DELETE FROM t; VACUUM")
    try check(db, "INSERT INTO t VALUES(1, 2, randomblob(5000))")
    _ = try other.takeChangedPages()
  }
}
