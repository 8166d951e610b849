import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

/// The file beneath SQLite, read through SQLite's own handle.
@Suite struct FileTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
    try db.executeScript(
      """
      PRAGMA user_version = -7; PRAGMA application_id = 99;
      CREATE TABLE t(a); INSERT INTO t VALUES(randomblob(200000))
      """)
  }

  private func read(at offset: Int64, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try db.readFile(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  @Test func `the file is read as it is on disk`() throws {
    let content = try scratch.bytes("a.db")
    #expect(try db.fileSize() == Int64(content.count))
    #expect(try read(at: 0, count: content.count + 5000) == content)
    #expect(try read(at: 100_000, count: 1000) == Array(content[100_000..<101_000]))
    #expect(try read(at: Int64(content.count) - 10, count: 100) == Array(content.suffix(10)))
    #expect(try read(at: Int64(content.count) + 1, count: 100) == [])
    #expect(try read(at: 0, count: 0) == [])
  }

  @Test func `the header has the values of the pragmas`() throws {
    let header = try db.header()
    #expect(header.pageSize == 4096)
    #expect(header.userVersion == -7)
    #expect(header.applicationID == 99)
    #expect(header.writeVersion == 1 && header.readVersion == 1 && !header.isWAL)
    #expect(header.textEncoding == 1)
    #expect(header.reservedBytes == 0)
    #expect(Int64(header.pageCount) * 4096 == (try db.fileSize()))
    #expect(header.versionValidFor == header.changeCounter)
    #expect(try db.userVersion == -7)
    #expect(try db.applicationID == 99)
    try db.setApplicationID(-1)
    #expect(try db.header().applicationID == -1)
    #expect(try db.header().changeCounter == header.changeCounter + 1)
  }

  @Test func `bytes that are not a header are refused`() throws {
    let good = Array(try scratch.bytes("a.db").prefix(100))
    #expect(DatabaseHeader.parse(good) == (try db.header()))
    #expect(DatabaseHeader.parse([]) == nil)
    #expect(DatabaseHeader.parse(Array(good.dropLast())) == nil)
    #expect(DatabaseHeader.parse([UInt8](repeating: 0, count: 100)) == nil)
    for (size, expected) in [
      (1, 65536), (512, 512), (0, nil), (256, nil), (513, nil), (65535, nil),
    ]
      as [(Int, Int?)]
    {
      var bytes = good
      bytes[16] = UInt8(size >> 8)
      bytes[17] = UInt8(size & 255)
      #expect(DatabaseHeader.parse(bytes)?.pageSize == expected)
    }
    let empty = try scratch.open("empty.db")
    let error = #expect(throws: SQLiteError.self) { try empty.header() }
    #expect(error?.code == .notADatabase)
  }

  @Test func `a file that was replaced or removed is noticed`() throws {
    #expect(!db.hasMoved)
    try scratch.move("a.db", to: "b.db")
    #expect(db.hasMoved)
    try scratch.write(try scratch.bytes("b.db"), to: "a.db")
    #expect(db.hasMoved)
    let error = #expect(throws: SQLiteError.self) { try db.execute("DELETE FROM t") }
    #expect(error?.extendedCode == .moved)
    try scratch.remove("a.db")
    try scratch.move("b.db", to: "a.db")
    #expect(!db.hasMoved)
    try db.execute("DELETE FROM t")
  }

  @Test func `reading the file drops no lock`() throws {
    try db.transaction(.exclusive) {
      _ = try db.header()
      _ = try read(at: 0, count: 10_000)
      #expect(try Shell.run(scratch("a.db"), "SELECT 1 FROM t;").contains("locked"))
    }
  }

  @Test func `damage is found`() throws {
    #expect(try db.integrityCheck() == [])
    db.close()
    var bytes = try scratch.bytes("a.db")
    for index in 4096..<4200 { bytes[index] = 0xff }
    try scratch.write(bytes, to: "a.db")
    let damaged = try scratch.open()
    let found = Result { try damaged.integrityCheck() }
    switch found {
    case .success(let sentences): #expect(!sentences.isEmpty)
    case .failure(let error): #expect((error as? SQLiteError)?.code == .corrupt)
    }
  }

  @Test func `a check that cannot be made is not damage`() throws {
    try Shell.run(
      scratch("a.db"),
      """
      CREATE TABLE c(a TEXT COLLATE NOCASE); CREATE INDEX i ON c(a);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'ELSEWHERE');
      """)
    let error = #expect(throws: SQLiteError.self) { try db.integrityCheck() }
    #expect(error?.code == .error)
    #expect(error?.message.contains("ELSEWHERE") == true)
  }
}
