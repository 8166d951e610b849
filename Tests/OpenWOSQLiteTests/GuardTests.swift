import Corpora
import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

/// Files beside a live file must not be trusted, followed, waited for or deleted.
struct GuardTests {
  let scratch: ScratchFolder
  let judge = Judge()

  init() throws {
    scratch = try ScratchFolder()
    let db = try scratch.open("live.db")
    try db.executeScript("CREATE TABLE t(a); INSERT INTO t VALUES(42)")
  }

  private func open() throws -> Connection {
    try scratch.open("live.db", mode: .readWrite, policy: judge.policy)
  }

  private func rows(_ db: Connection) throws -> Int {
    try #require(try db.value("SELECT count(*) FROM t"))
  }

  @Test(arguments: [nil, "precious"])
  func `a hostile journal is refused and nothing is deleted or changed`(victim: String?) throws {
    try scratch.write(Array("precious".utf8), to: "precious")
    var journal = HostileJournal(pageCount: 1)
    journal.superJournal = victim.map { scratch($0).string }
    try scratch.write(journal.bytes, to: "live.db-journal")
    let before = try scratch.bytes("live.db")
    let db = try? open()
    let error = #expect(throws: SQLiteError.self) { try rows(try db ?? open()) }
    #expect(error?.extendedCode == .journalRefused)
    #expect(error?.code == .cannotOpen)
    #expect(try scratch.bytes("live.db") == before)
    #expect(try scratch.bytes("precious") == Array("precious".utf8))
    #expect(try scratch.bytes("live.db-journal") == journal.bytes)
    #expect(judge.asked > 0)
  }

  @Test func `a journal that arrives under an idle connection is judged`() throws {
    let db = try open()
    #expect(try rows(db) == 1)
    #expect(judge.asked == 0)
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    #expect(throws: SQLiteError.self) { try rows(db) }
    #expect(judge.asked == 1)
    try scratch.remove("live.db-journal")
    #expect(try rows(db) == 1)
  }

  @Test func `a journal that the judge has moved away was never there`() throws {
    judge.answer { journal in
      try? FileManager.default.moveItem(
        atPath: journal.journalPath.string, toPath: journal.journalPath.string + ".aside")
      return .gone
    }
    let db = try open()
    for round in 1...3 {
      try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
      #expect(try rows(db) == round)
      #expect(try scratch.exists("live.db-journal.aside"))
      try scratch.remove("live.db-journal.aside")
      try db.execute("INSERT INTO t VALUES(?)", round)
    }
    #expect(judge.asked == 3)
    #expect(try scratch.names() == ["live.db"])
  }

  #if os(Linux)
    @Test(arguments: [JournalVerdict.refuse, .gone])
    func `a journal that must not be replayed does not stay open`(verdict: JournalVerdict) throws {
      let journal = scratch("live.db-journal").string
      judge.answer { _ in
        if verdict == .gone { rename(journal, journal + ".aside") }
        return verdict
      }
      let db = try open()
      try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
      _ = try? rows(db)
      #expect(judge.asked == 1)
      let files = FileManager.default
      let open = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      #expect(!open.isEmpty)
      #expect(!open.contains { $0.hasPrefix(journal) })
    }
  #endif

  @Test func `a reader only delays the judgement`() throws {
    judge.answer { journal in
      try? FileManager.default.removeItem(atPath: journal.journalPath.string)
      return .gone
    }
    let reader = try Shell(scratch("live.db"))
    #expect(try reader.run("BEGIN; SELECT a FROM t;") == "42")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    let error = #expect(throws: SQLiteError.self) { try open() }
    #expect(error?.code == .busy)
    #expect(judge.asked == 0)
    #expect(try reader.run("SELECT a FROM t; COMMIT;") == "42")
    #expect(try rows(try open()) == 1)
    #expect(judge.asked == 1)
  }

  @Test func `the judge reads the database while nobody else can use it`() throws {
    let path = scratch("live.db")
    let seen = Mutex<[String]>([])
    let expected = try scratch.bytes("live.db")
    judge.answer { journal in
      let size = (try? journal.databaseSize) ?? 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        count = (try? journal.readDatabase(at: 0, into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
      }
      let other = (try? Shell.run(path, "SELECT a FROM t;")) ?? ""
      seen.withLock { $0 += [bytes == expected ? "whole" : "torn", other] }
      try? FileManager.default.removeItem(atPath: journal.journalPath.string)
      return .gone
    }
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    #expect(try rows(try open()) == 1)
    let found = seen.withLock { $0 }
    #expect(found.first == "whole")
    #expect(found.last?.contains("locked") == true)
  }

  @Test func `other processes can read after the judgement`() throws {
    judge.answer { journal in
      try? FileManager.default.removeItem(atPath: journal.journalPath.string)
      return .gone
    }
    let db = try open()
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    let (count, seen) = try db.transaction(.deferred) {
      (try rows(db), try Shell.run(scratch("live.db"), "SELECT a FROM t;"))
    }
    #expect(count == 1)
    #expect(judge.asked == 1)
    #expect(seen == "42")
  }

  @Test(arguments: ["fifo", "folder", "link", "dangling link"])
  func `a journal that is not a regular file is refused without waiting`(kind: String) throws {
    try scratch.write(Array("precious".utf8), to: "victim")
    let db = try open()
    let path = scratch("live.db-journal").string
    switch kind {
    case "fifo": #expect(mkfifo(path, 0o600) == 0)
    case "folder": #expect(mkdir(path, 0o700) == 0)
    case "link": #expect(symlink("victim", path) == 0)
    default: #expect(symlink("nowhere", path) == 0)
    }
    let reading = #expect(throws: SQLiteError.self) { try rows(db) }
    #expect(reading?.extendedCode == .journalRefused)
    let writing = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES(1)") }
    #expect(writing?.extendedCode == .journalRefused)
    #expect(try scratch.bytes("victim") == Array("precious".utf8))
    #expect(try scratch.names() == ["live.db", "live.db-journal", "victim"])
    #expect(judge.asked == 0)
  }

  @Test(arguments: ["fifo", "link"])
  func `a FIFO or a link at the journal's name in mid-transaction is not followed`(
    kind: String
  ) throws {
    try scratch.write(Array("precious".utf8), to: "victim")
    let db = try open()
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction(.immediate) {
        let path = scratch("live.db-journal").string
        #expect((kind == "fifo" ? mkfifo(path, 0o600) : symlink("victim", path)) == 0)
        try db.execute("INSERT INTO t VALUES(1)")
      }
    }
    #expect(error?.extendedCode == .journalRefused)
    try scratch.remove("live.db-journal")
    #expect(try scratch.bytes("victim") == Array("precious".utf8))
    #expect(try rows(db) == 1)
  }

  @Test func `a live journal that arrives before our own is not overwritten`() throws {
    let db = try open()
    let journal = HostileJournal(pageCount: 1).bytes
    #expect(throws: SQLiteError.self) {
      try db.transaction(.immediate) {
        try scratch.write(journal, to: "live.db-journal")
        try db.execute("INSERT INTO t VALUES(1)")
      }
    }
    #expect(try scratch.bytes("live.db-journal") == journal)
  }

  @Test func `a journal that cannot be read is refused`() throws {
    let db = try open()
    let journal = scratch("live.db-journal")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    OpenCall.before(journal) { _ in EACCES }
    let error = #expect(throws: SQLiteError.self) { try rows(db) }
    #expect(error?.extendedCode == .journalRefused)
    #expect(judge.asked == 0)
    OpenCall.before(journal, nil)
    #expect(try scratch.bytes("live.db-journal") == HostileJournal(pageCount: 1).bytes)
  }

  @Test(arguments: ["live.db", "live.db-journal"])
  func `a file that cannot be read for a moment is not damaged`(unreadable: String) throws {
    let db = try open()
    UnreadableFile.during(scratch(unreadable)) {
      let error = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES(1)") }
      #expect(error?.code == .ioError)
      #expect(error?.isPassing == true)
    }
    try db.execute("INSERT INTO t VALUES(1)")
    #expect(try rows(db) == 2)
  }

  @Test func `a journal that cannot be read for a moment is not damaged`() throws {
    let db = try open()
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    UnreadableFile.during(scratch("live.db-journal")) {
      let error = #expect(throws: SQLiteError.self) { try rows(db) }
      #expect(error?.isPassing == true)
    }
    #expect(judge.asked == 0)
  }

  @Test func `a journal that vanishes during a look counts as missing`() throws {
    let db = try open()
    let journal = scratch("live.db-journal")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    OpenCall.before(journal) { _ in
      unlink(journal.string)
      return nil
    }
    #expect(try rows(db) == 1)
    OpenCall.before(journal, nil)
    #expect(judge.asked == 0)
  }

  @Test func `a link that takes a journal's place while it is looked at is not followed`() throws {
    let db = try open()
    let journal = scratch("live.db-journal")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "live.db-journal")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "victim")
    OpenCall.before(journal) { _ in
      unlink(journal.string)
      symlink("victim", journal.string)
      return nil
    }
    let error = #expect(throws: SQLiteError.self) { try rows(db) }
    OpenCall.before(journal, nil)
    #expect(error?.extendedCode == .journalRefused)
    #expect(judge.asked == 0)
  }

  @Test func `if no journal can be created, nothing is written`() throws {
    let db = try open()
    let journal = scratch("live.db-journal")
    let before = try scratch.bytes("live.db")
    OpenCall.before(journal) { isWriting in isWriting ? EACCES : nil }
    #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES(1)") }
    OpenCall.before(journal, nil)
    #expect(try scratch.bytes("live.db") == before)
    try db.execute("INSERT INTO t VALUES(1)")
    #expect(try rows(db) == 2)
  }

  @Test func `a journal that appears while ours is created means that somebody is busy`() throws {
    let db = try open()
    let journal = scratch("live.db-journal")
    let other = HostileJournal(pageCount: 1).bytes
    let scratch = scratch
    OpenCall.before(journal) { isWriting in
      if isWriting { _ = try? scratch.make("live.db-journal", other) }
      return nil
    }
    let error = #expect(throws: SQLiteError.self) { try db.execute("INSERT INTO t VALUES(1)") }
    #expect(error?.code == .busy)
    OpenCall.before(journal, nil)
    #expect(try scratch.bytes("live.db-journal") == other)
    try scratch.remove("live.db-journal")
    #expect(try rows(db) == 1)
  }

  @Test func `a journal that replaces our own stays for the judge`() throws {
    let db = try open()
    let journal = HostileJournal(pageCount: 1).bytes
    try db.transaction(.immediate) {
      try db.execute("INSERT INTO t VALUES(1)")
      try scratch.write(journal, to: "foreign")
      #expect(rename(scratch("foreign").string, scratch("live.db-journal").string) == 0)
    }
    #expect(try scratch.bytes("live.db-journal") == journal)
    #expect(throws: SQLiteError.self) { try rows(db) }
    #expect(judge.asked == 1)
    try scratch.remove("live.db-journal")
    #expect(try rows(db) == 2)
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 5000)])
  func `a journal without a header is harmless`(bytes: [UInt8]) throws {
    try scratch.write(bytes, to: "live.db-journal")
    let db = try open()
    #expect(try rows(db) == 1)
    try db.execute("INSERT INTO t VALUES(1)")
    #expect(try rows(db) == 2)
    #expect(judge.asked == 0)
    #expect(try scratch.names() == ["live.db"])
  }

  @Test func `a journal beside an empty file is not thrown away`() throws {
    try scratch.write([], to: "live.db")
    let journal = HostileJournal(pageCount: 1).bytes
    try scratch.write(journal, to: "live.db-journal")
    _ = try? open().execute("CREATE TABLE x(a)")
    #expect(try scratch.bytes("live.db-journal") == journal)
    #expect(judge.asked > 0)
  }

  @Test func `a read-only connection leaves a journal alone`() throws {
    let journal = HostileJournal(pageCount: 1).bytes
    try scratch.write(journal, to: "live.db-journal")
    let error = #expect(throws: SQLiteError.self) {
      try rows(try scratch.open("live.db", mode: .readOnly, policy: judge.policy))
    }
    #expect(error?.code == .readOnly)
    #expect(try scratch.bytes("live.db-journal") == journal)
  }

  @Test func `a transaction over two files is refused, one file at a time is fine`() throws {
    try scratch.open("other.db").executeScript("CREATE TABLE t(a)")
    let db = try open()
    try db.executeScript("ATTACH '\(scratch("other.db"))' AS other")
    try db.execute("INSERT INTO other.t VALUES(1)")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.execute("INSERT INTO other.t VALUES(2)")
        try db.execute("INSERT INTO main.t VALUES(2)")
      }
    }
    #expect(error?.extendedCode == .severalFiles)
    #expect(try rows(db) == 1)
    #expect(try db.value("SELECT count(*) FROM other.t", as: Int.self) == 1)
    #expect(try scratch.names() == ["live.db", "other.db"])
  }

  @Test func `an attached file's journal is not trusted`() throws {
    try scratch.open("other.db").executeScript("CREATE TABLE t(a)")
    try scratch.write(HostileJournal(pageCount: 1).bytes, to: "other.db-journal")
    let db = try open()
    #expect(throws: SQLiteError.self) {
      try db.executeScript(
        "ATTACH '\(scratch("other.db"))' AS other; SELECT count(*) FROM other.t")
    }
    #expect(judge.asked == 0)
    #expect(try scratch.exists("other.db-journal"))
  }
}
