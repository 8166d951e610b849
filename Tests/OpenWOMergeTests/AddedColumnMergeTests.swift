import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Columns that both sides have and the base lacks, as when an app's migration ran on both.
struct AddedColumnMergeTests {
  private static let schema =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c')"
  private static let strict =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v ANY) STRICT; INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c')"

  @Test func `one side's value in a column that both added stays`() throws {
    let add = "ALTER TABLE t ADD COLUMN n DEFAULT 'dd';"
    let scene = try MergeScene(
      Self.schema, ours: add + "UPDATE t SET n='ours' WHERE id=1",
      theirs: add + "UPDATE t SET n='theirs' WHERE id=2; INSERT INTO t VALUES(4,'d','e')")
    #expect(
      try scene.outcome("SELECT * FROM t") == ["1|a|ours", "2|b|theirs", "3|c|dd", "4|d|e"])
    #expect(try scene.merge().report.tables.flatMap(\.decided).isEmpty)
  }

  @Test func `a cell in a column that both added is merged with another cell of its row`()
    throws
  {
    let add = "ALTER TABLE t ADD COLUMN n TEXT DEFAULT 5;"
    let scene = try MergeScene(
      Self.schema, ours: add + "UPDATE t SET n='ours' WHERE id=1",
      theirs: add + "UPDATE t SET v='theirs' WHERE id=1")
    #expect(try scene.outcome("SELECT * FROM t WHERE id=1") == ["1|theirs|ours"])
    #expect(try scene.merge().report.tables.flatMap(\.decided).isEmpty)
  }

  @Test func `two values in a column that both added are decided and reported`() throws {
    let add = "ALTER TABLE t ADD COLUMN n;"
    let scene = try MergeScene(
      Self.schema, ours: add + "UPDATE t SET n='o' || id",
      theirs: add + "UPDATE t SET n='t' || id WHERE id < 3")
    #expect(try scene.outcome("SELECT n FROM t") == ["t1", "t2", "o3"])
    let decided = try scene.merge().report.tables.flatMap(\.decided)
    #expect(
      decided.map(\.columns) == [["n"], ["n"]] && decided.map(\.winner) == [.theirs, .theirs])
  }

  @Test func `values that a rebuilt table was filled with are decided and reported`() throws {
    let rebuild = { (word: String) in
      "CREATE TABLE u(id INTEGER PRIMARY KEY, v, n DEFAULT CURRENT_TIMESTAMP);"
        + "INSERT INTO u SELECT id, v, '\(word)' FROM t; DROP TABLE t; ALTER TABLE u RENAME TO t;"
    }
    let scene = try MergeScene(Self.schema, ours: rebuild("o"), theirs: rebuild("t"))
    #expect(try scene.outcome("SELECT n FROM t") == ["t", "t", "t"])
    #expect(try scene.merge().report.tables.flatMap(\.decided).count == 3)
  }

  @Test(arguments: [
    (Self.schema, "ADD COLUMN n"),
    (Self.strict, "ADD COLUMN n ANY"),
  ])
  func `the default of a column without a type is what it is written as`(
    schema: String, add: String
  ) throws {
    let scene = try MergeScene(
      schema, ours: "ALTER TABLE t \(add) DEFAULT '5'; UPDATE t SET n = 5 WHERE id = 1",
      theirs: "DELETE FROM t WHERE id < 3")
    #expect(try scene.outcome("SELECT id, typeof(n) FROM t") == ["1|integer", "3|text"])
  }

  @Test func `a row whose new column was written stays against a delete, and is reported`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "ALTER TABLE t ADD COLUMN n; UPDATE t SET n='ours' WHERE id=1",
      theirs: "DELETE FROM t WHERE id < 3")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|a|ours", "3|c|NULL"])
    #expect(
      try scene.merge().report.tables.flatMap(\.decided).map(\.conflict) == [.deleteAgainstUpdate])
  }

  @Test(arguments: [
    ("id INTEGER PRIMARY KEY, v", false), ("id INTEGER PRIMARY KEY, v", true), ("id, v", false),
    ("id, v", true),
  ])
  func `a deleted row does not come back for a column that was filled, and is reported`(
    columns: String, areBothFilled: Bool
  ) throws {
    let fill = "ALTER TABLE t ADD COLUMN n; UPDATE t SET n=upper(v);"
    let scene = try MergeScene(
      "CREATE TABLE t(\(columns)); INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c')",
      ours: fill + "UPDATE t SET v='A' WHERE id=1",
      theirs: (areBothFilled ? fill : "") + "DELETE FROM t WHERE id=3")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|A|A", "2|b|B"])
    let decided = try scene.merge().report.tables.flatMap(\.decided)
    // Where rows have no name, the updated one is a deleted and a new one, too.
    let updated = columns == "id, v" && areBothFilled ? 1 : 0
    #expect(decided.map(\.reason) == Array(repeating: .fillsColumn, count: 1 + updated))
  }

  @Test(arguments: ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY"])
  func `a column that both renamed keeps the writes of both, and what was deleted stays deleted`(
    key: String
  ) throws {
    let rename = "ALTER TABLE t RENAME COLUMN v TO w;"
    let scene = try MergeScene(
      "CREATE TABLE t(id \(key), v); INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c'),(4,NULL)",
      ours: rename + "UPDATE t SET w='ours' WHERE id=1; DELETE FROM t WHERE id=3",
      theirs: rename + "UPDATE t SET w='theirs' WHERE id=2; UPDATE t SET w=0 WHERE id=4")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|ours", "2|theirs", "4|0"])
    #expect(try scene.merge().report.tables.flatMap(\.decided).isEmpty)
  }

  @Test func `a column in the place of a dropped one does not count as renamed`() throws {
    let swap = "ALTER TABLE t DROP COLUMN v; ALTER TABLE t ADD COLUMN w;"
    let scene = try MergeScene(
      Self.schema, ours: swap + "UPDATE t SET w='a' WHERE id=1",
      theirs: swap + "UPDATE t SET w='z' WHERE id=2")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|a", "2|z", "3|NULL"])
  }

  @Test func `a diff does not count what a new column was filled with`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "ALTER TABLE t ADD COLUMN n; UPDATE t SET n=id", theirs: "")
    let found = try difference(from: scene.base.connection, to: scene.ours.connection)
    #expect(found.tables.isEmpty && found.schemaChanges.count == 1)
  }
}
