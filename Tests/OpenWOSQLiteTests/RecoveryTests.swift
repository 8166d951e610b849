import Corpora
import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

/// Journals that real processes leave behind.
struct RecoveryTests {
  let scratch: ScratchFolder
  let judge = Judge()
  let content: [UInt8]

  init() throws {
    scratch = try ScratchFolder()
    let db = try scratch.open("live.db")
    try db.executeScript(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT i, hex(randomblob(50)) FROM n
      """)
    db.close()
    content = try scratch.bytes("live.db")
  }

  private func open() throws -> Connection {
    try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
  }

  /// A program that has written half of a transaction to the file.
  private func halfWay() throws -> Shell {
    let other = try Shell(scratch("live.db"))
    try other.run("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE t SET a = 'half';")
    #expect(try scratch.bytes("live.db") != content)
    return other
  }

  @Test func `a crash is undone once the judge has proven the journal`() throws {
    judge.answer { _ in .replay }
    try halfWay().kill()
    let db = try open()
    #expect(try db.value("SELECT count(*) FROM t WHERE a = 'half'", as: Int.self) == 0)
    #expect(judge.asked == 1)
    #expect(try db.takeChangedPages() == .all)
    #expect(try scratch.names() == ["live.db"])
    #expect(try scratch.bytes("live.db") == content)
    #expect(try db.integrityCheck() == [])
  }

  /// Plays a journal into a private copy and compares the result with the content that is known.
  private func proveByContent() throws {
    let scratch = scratch
    let content = content
    let hidden = try ScratchFolder()
    judge.answer { journal in
      do {
        let size = try Int(journal.databaseSize)
        let database = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
          count = try journal.readDatabase(at: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
        try hidden.write(database, to: "copy.db")
        try hidden.write(try scratch.bytes("live.db-journal"), to: "copy.db-journal")
        let copy = try hidden.open("copy.db", mode: .readWrite)
        _ = try copy.header()
        copy.close()
        return try hidden.bytes("copy.db") == content ? .replay : .refuse
      } catch {
        return .refuse
      }
    }
  }

  @Test func `a journal can be proven by its effect on a private copy`() throws {
    try proveByContent()
    try halfWay().kill()
    #expect(try open().value("SELECT count(*) FROM t WHERE a = 'half'") == 0)
    #expect(judge.asked == 1)
    #expect(try scratch.bytes("live.db") == content)
  }

  @Test func `a journal of another state of the database is not proven`() throws {
    try proveByContent()
    let other = try halfWay()
    let journal = try scratch.bytes("live.db-journal")
    try other.run("ROLLBACK;")
    try Shell.run(scratch("live.db"), "DELETE FROM t WHERE id % 3 = 1; VACUUM;")
    let before = try scratch.bytes("live.db")
    try scratch.write(journal, to: "live.db-journal")
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(error?.extendedCode == .journalRefused)
    #expect(try scratch.bytes("live.db") == before)
    #expect(try scratch.bytes("live.db-journal") == journal)
  }

  @Test func `a crash stays as it is while the judge refuses`() throws {
    try halfWay().kill()
    let crashed = try (scratch.bytes("live.db"), scratch.bytes("live.db-journal"))
    for _ in 1...2 { #expect(throws: SQLiteError.self) { try open() } }
    #expect(try scratch.bytes("live.db") == crashed.0)
    #expect(try scratch.bytes("live.db-journal") == crashed.1)
    judge.answer { _ in .replay }
    #expect(try open().integrityCheck() == [])
    #expect(try scratch.bytes("live.db") == content)
  }

  @Test func `a private copy's journal is replayed without a judge`() throws {
    try halfWay().kill()
    let copy = try scratch.open("live.db", mode: .readWrite, policy: .privateCopy)
    #expect(try copy.integrityCheck() == [])
    #expect(try scratch.bytes("live.db") == content)
  }

  @Test func `a private copy's journal is replayed although it names another file, which stays`()
    throws
  {
    try scratch.write(Array("precious".utf8), to: "precious")
    var journal = HostileJournal(pages: [(1, Array(content[..<4096]))])
    journal.pageCount = UInt32(content.count / 4096)
    journal.superJournal = scratch("precious").string
    try scratch.write(journal.bytes, to: "live.db-journal")
    let copy = try scratch.open("live.db", mode: .readWrite, policy: .privateCopy)
    #expect(try copy.integrityCheck() == [])
    #expect(try scratch.names() == ["live.db", "precious"])
    #expect(try scratch.bytes("precious") == Array("precious".utf8))
  }

  @Test
  func `another program in the middle of a transaction is busy, and its journal is not judged`()
    throws
  {
    let db = try open()
    let other = try halfWay()
    for _ in 1...2 {
      let error = #expect(throws: SQLiteError.self) {
        try db.value("SELECT 1 FROM t", as: Int.self)
      }
      #expect(error?.code == .busy)
    }
    #expect(judge.asked == 0)
    try other.run("ROLLBACK;")
    #expect(try db.value("SELECT count(*) FROM t WHERE a = 'half'", as: Int.self) == 0)
    #expect(judge.asked == 0)
  }

  @Test func `another program that is about to write does not keep us from reading`() throws {
    let other = try Shell(scratch("live.db"))
    try other.run("BEGIN IMMEDIATE; UPDATE t SET a = 'mine' WHERE id = 1;")
    #expect(try scratch.exists("live.db-journal"))
    let db = try open()
    #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 2000)
    #expect(judge.asked == 0)
    try other.run("COMMIT;")
    #expect(try db.value("SELECT a FROM t WHERE id = 1", as: String.self) == "mine")
  }

  @Test func `a reader only delays the playback`() throws {
    judge.answer { _ in .replay }
    let reader = try Shell(scratch("live.db"))
    try reader.run("BEGIN; SELECT count(*) FROM t;")
    // The journal of a transaction that came to nothing, arriving beside the file it belongs to.
    let page = Array(content[4096..<8192])
    var journal = HostileJournal(pages: [(2, page)])
    journal.pageCount = UInt32(content.count / 4096)
    try scratch.write(journal.bytes, to: "live.db-journal")
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(error?.code == .busy)
    try reader.run("COMMIT;")
    #expect(try open().integrityCheck() == [])
    #expect(try scratch.names() == ["live.db"])
  }

  @Test func `the replayed journal is the one that was judged`() throws {
    try halfWay().kill()
    let journal = scratch("live.db-journal")
    let other = scratch("other")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "other")
    judge.answer { [judge] _ in
      // A service replaces the journal after it was looked at.
      rename(other.string, journal.string)
      judge.answer { _ in .refuse }
      return .replay
    }
    let crashed = try scratch.bytes("live.db")
    #expect(throws: SQLiteError.self) { try open() }
    #expect(try scratch.bytes("live.db") == crashed)
    #expect(judge.asked >= 1)
  }

  @Test func `a journal that vanishes before it is replayed means that somebody was busy`() throws {
    try halfWay().kill()
    let crashed = try (scratch.bytes("live.db"), scratch.bytes("live.db-journal"))
    let journal = scratch("live.db-journal")
    judge.answer { _ in .replay }
    OpenCall.before(journal) { isWriting in
      if isWriting { unlink(journal.string) }
      return nil
    }
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(error?.code == .busy)
    OpenCall.before(journal, nil)
    #expect(try scratch.bytes("live.db") == crashed.0)
    try scratch.write(crashed.1, to: "live.db-journal")
    #expect(try open().integrityCheck() == [])
    #expect(try scratch.bytes("live.db") == content)
  }

  @Test(arguments: [true, false])
  func `a journal that cannot be opened for its playback stays, and so does the database`(
    canBeRead: Bool
  ) throws {
    try halfWay().kill()
    let crashed = try (scratch.bytes("live.db"), scratch.bytes("live.db-journal"))
    let journal = scratch("live.db-journal")
    judge.answer { _ in .replay }
    OpenCall.before(journal) { [judge] isWriting in
      judge.asked > 0 && (isWriting || !canBeRead) ? EACCES : nil
    }
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(error?.code == .cannotOpen)
    OpenCall.before(journal, nil)
    #expect(try scratch.bytes("live.db") == crashed.0)
    #expect(try scratch.bytes("live.db-journal") == crashed.1)
    #expect(try open().integrityCheck() == [])
    #expect(try scratch.bytes("live.db") == content)
  }
}
