import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Columns that one side renamed or dropped while the other wrote in them.
struct LostColumnMergeTests {
  private static let schema =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v, w DEFAULT 'none');"
    + "INSERT INTO t VALUES(1,'a','w1'),(2,'b','w2'),(3,'c','w3')"

  @Test(arguments: [
    ("ALTER TABLE t RENAME COLUMN v TO vv", "v", "UPDATE t SET v='B' WHERE id=2", 2),
    ("ALTER TABLE t RENAME COLUMN v TO vv", "v", "INSERT INTO t VALUES(7,'new','none')", 7),
    ("ALTER TABLE t DROP COLUMN w", "w", "UPDATE t SET w='W' WHERE id=2", 2),
    ("ALTER TABLE t DROP COLUMN w", "w", "INSERT INTO t VALUES(7,'new','w7')", 7),
    ("ALTER TABLE t DROP COLUMN w", "w", "INSERT INTO t VALUES(7,'new',NULL)", 7),
  ])
  func `a write in a column that the other side renamed or dropped is refused by row and column`(
    change: String, column: String, write: String, row: Int64
  ) throws {
    let scene = try MergeScene(
      Self.schema, ours: change + "; DELETE FROM t WHERE id=3", theirs: write)
    for one in [scene, scene.mirrored] {
      let refusal = try #require(throws: MergeRefusal.self) { try one.merge() }
      #expect(refusal.table == "t" && refusal.rows == [[.integer(row)]])
      #expect(refusal.reason.contains("column \(column),"), "\(refusal.reason)")
    }
  }

  @Test func `writes in other columns go with a renamed and a dropped one`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: "ALTER TABLE t DROP COLUMN w; ALTER TABLE t ADD COLUMN x; UPDATE t SET x=1 WHERE id=1",
      theirs: "UPDATE t SET v='B' WHERE id=2; DELETE FROM t WHERE id=3;"
        + "INSERT INTO t(id, v) VALUES(7,'new')")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|a|1", "2|B|NULL", "7|new|NULL"])
  }

  @Test func `deleted rows go even if the other side renamed a column and wrote to another row`()
    throws
  {
    let scene = try MergeScene(
      Self.schema, ours: "ALTER TABLE t RENAME COLUMN v TO vv; UPDATE t SET vv='A' WHERE id=1",
      theirs: "DELETE FROM t WHERE id>1")
    #expect(try scene.outcome("SELECT id, vv FROM t") == ["1|A"])
    #expect(try scene.merge().report.tables.flatMap(\.decided).isEmpty)
  }

  @Test(arguments: ["", "; ALTER TABLE new ADD COLUMN n"])
  func `a table that both sides renamed is refused, as the two cannot be distinguished`(
    and: String
  ) throws {
    let scene = try MergeScene(
      "CREATE TABLE old(id INTEGER PRIMARY KEY, v); INSERT INTO old VALUES(1, 'a'), (2, 'b')",
      ours: "ALTER TABLE old RENAME TO new; DELETE FROM new WHERE id = 2\(and)",
      theirs: "ALTER TABLE old RENAME TO new; INSERT INTO new(id, v) VALUES(3, 'c')")
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(throws: MergeRefusal.self) { try scene.mirrored.merge() }
    let apart = try MergeScene(
      "CREATE TABLE old(id INTEGER PRIMARY KEY, v); INSERT INTO old VALUES(1, 2)",
      ours: "DROP TABLE old; CREATE TABLE new(a, b)",
      theirs: "DROP TABLE old; CREATE TABLE new(a, b); INSERT INTO new VALUES(1, 2)")
    #expect(try apart.outcome("SELECT * FROM new") == ["1|2"])
  }
}
