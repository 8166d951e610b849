import OpenWOSQLite
import Testing

@Test func `rows come back as they went in`() throws {
  let scratch = try Scratch()
  let db = try scratch.open()
  try db.executeScript("CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
  #expect(try db.takeChangedPages() == .pages([1, 2]))
  try db.transaction {
    for i in 0..<10 { try db.execute("INSERT INTO t(b) VALUES(?)", "row \(i)") }
  }
  #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 10)
  #expect(
    try db.rows("SELECT b FROM t WHERE a < ?", 3) { try $0.get("b") as String }
      == ["row 0", "row 1"])
  #expect(try db.takeChangedPages() == .pages([1, 2]))
  let size = try db.withReadLock { try db.fileSize() }
  #expect(size == 8192)
}
