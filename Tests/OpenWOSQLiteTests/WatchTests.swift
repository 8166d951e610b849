import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Testing

/// A service that writes an older state over the file during a transaction and asks for no lock.
struct WatchTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open("live.db")
    try db.executeScript(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE TABLE filler(b);
      INSERT INTO filler VALUES(zeroblob(20000)); INSERT INTO t(v) VALUES('one')
      """)
    try scratch.write(scratch.bytes("live.db"), to: "older.db")
    try db.execute("INSERT INTO t(v) VALUES('two')")
  }

  /// Writes the older state over the live file, from a page on; another process, since closing the file in this one would drop locks.
  private func overwrite(from page: Int = 0) throws {
    let words = [
      "dd", "if=\(scratch("older.db"))", "of=\(scratch("live.db"))", "bs=4096",
      "skip=\(page)", "seek=\(page)", "status=none",
    ]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = page > 0 ? words + ["conv=notrunc"] : words
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private func write(
    _ sql: String = "INSERT INTO t(v) VALUES('three')", before: () throws -> Void = {},
    after: () throws -> Void = {}
  ) throws -> Bool {
    try db.begin(.immediate)
    try db.watchWrites()
    try db.execute(sql)
    try before()
    let hold = try db.holdingReadLock()
    defer { hold.finish() }
    try db.commit()
    try after()
    return try db.hasWithheldWrites || db.writesOfOthers() != .nothing
  }

  @Test func `a single commit is whole, and nobody else has written`() throws {
    #expect(try !write())
    // As long as nobody asks, what was written before does not matter.
    try overwrite()
    #expect(try !write())
    #expect(try !write("PRAGMA user_version = 7"))
    let said = try Shell.run(
      scratch("live.db"),
      "PRAGMA integrity_check; SELECT v FROM t; PRAGMA user_version;")
    #expect(said == "ok\none\nthree\n7")
    try overwrite()
    #expect(try !write("PRAGMA user_version = 8"))
  }

  @Test func `an older state is noticed, whenever it arrived`() throws {
    #expect(try write(before: { try overwrite() }))
    #expect(try write(after: { try overwrite() }))
  }

  @Test func `an older state is noticed of which only the first page was written over again`()
    throws
  {
    // It came between the last look and the write of the first page, which is the last one written.
    #expect(try write(after: { try overwrite(from: 1) }))
  }

  @Test func `nobody commits between a commit and its capture`() throws {
    let said = try write(after: {
      let said = try Shell.run(scratch("live.db"), "INSERT INTO t(v) VALUES('other');")
      #expect(said.contains("locked"))
    })
    #expect(!said)
    #expect(try Shell.run(scratch("live.db"), "INSERT INTO t(v) VALUES('other');") == "")
  }

  @Test func `a rolled back transaction leaves the file as it was`() throws {
    let before = try scratch.bytes("live.db")
    try db.begin(.immediate)
    try db.watchWrites()
    try db.execute("INSERT INTO t(v) VALUES('three')")
    try db.rollback()
    #expect(try scratch.bytes("live.db") == before)
  }
}
