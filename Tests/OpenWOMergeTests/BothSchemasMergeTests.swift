import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Tables whose definitions both sides changed.
struct BothSchemasMergeTests {
  private static let schema =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c')"

  /// Remakes a table in the way that SQLite advises.
  private static func rebuilt(_ definition: String, _ columns: String = "*") -> String {
    "CREATE TABLE new(\(definition)); INSERT INTO new SELECT \(columns) FROM t; DROP TABLE t; "
      + "ALTER TABLE new RENAME TO t;"
  }

  @Test(arguments: [MergeSide.ours, .theirs])
  func `different columns that each side added are both there with their values`(
    first: MergeSide
  ) throws {
    var scene = try MergeScene(
      Self.schema,
      ours: "ALTER TABLE t ADD COLUMN a DEFAULT 'aa'; UPDATE t SET a='A' WHERE id=1;"
        + "INSERT INTO t VALUES(10,'ours','A10')",
      theirs: "ALTER TABLE t ADD COLUMN b INTEGER; UPDATE t SET b=2, v='B' WHERE id=2;"
        + "DELETE FROM t WHERE id=3; INSERT INTO t VALUES(11,'theirs',11)")
    scene.options.first = first
    #expect(
      try scene.outcome("SELECT id, v, a, b FROM t ORDER BY id") == [
        "1|a|A|NULL", "2|B|aa|2", "10|ours|A10|NULL", "11|theirs|aa|11",
      ])
    #expect(try scene.merge().report.tables.flatMap(\.decided).isEmpty)
  }

  @Test func `each side changes the definition of another table`() throws {
    let scene = try MergeScene(
      Self.schema + "; CREATE TABLE u(id INTEGER PRIMARY KEY, t REFERENCES t(id));"
        + "INSERT INTO u VALUES(1,1); CREATE INDEX places ON u(t);"
        + "CREATE VIEW both AS SELECT * FROM t JOIN u ON u.t = t.id;"
        + "CREATE TRIGGER tidy AFTER DELETE ON u BEGIN DELETE FROM t WHERE id = old.t; END",
      ours: "ALTER TABLE t ADD COLUMN a; INSERT INTO u VALUES(2,2)",
      theirs: "ALTER TABLE u ADD COLUMN b; UPDATE u SET b='b'; INSERT INTO t VALUES(7,'new');"
        + "INSERT INTO u VALUES(3,7,'c')")
    #expect(try scene.outcome("SELECT * FROM t WHERE id=7") == ["7|new|NULL"])
    #expect(try scene.outcome("SELECT * FROM u") == ["1|1|b", "2|2|NULL", "3|7|c"])
    #expect(
      try scene.outcome("SELECT type, name, tbl_name FROM sqlite_master ORDER BY name") == [
        "view|both|both", "index|places|u", "table|t|t", "trigger|tidy|u", "table|u|u",
      ])
    let (result, _) = try scene.merge()
    #expect(try result.lines("PRAGMA foreign_key_list(u)").first?.contains("|t|t|id") ?? false)
  }

  @Test func `a table rebuilt on one side takes the column that the other added`() throws {
    let scene = try MergeScene(
      Self.schema + "; CREATE INDEX byV ON t(v)",
      ours: Self.rebuilt("id INTEGER PRIMARY KEY, v TEXT NOT NULL CHECK(v <> '')")
        + "CREATE INDEX byV ON t(v); UPDATE t SET v='A' WHERE id=1",
      theirs: "ALTER TABLE t ADD COLUMN n; UPDATE t SET n=id; UPDATE t SET v='C' WHERE id=3")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|A|1", "2|b|2", "3|C|3"])
    let (result, _) = try scene.merge()
    #expect(throws: SQLiteError.self) { try result.run("INSERT INTO t VALUES(9, '', 9)") }
    #expect(try result.lines("PRAGMA index_list(t)").count == 1)
  }

  @Test func `both sides rebuilt a table, one to rename a column and one to add one`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "ALTER TABLE t RENAME COLUMN v TO w; UPDATE t SET w='A' WHERE id=1",
      theirs: "ALTER TABLE t ADD COLUMN n; UPDATE t SET n='N' WHERE id=2")
    for one in [scene, scene.mirrored] {
      #expect(
        try one.outcome("SELECT id, w, n FROM t") == ["1|A|NULL", "2|b|N", "3|c|NULL"])
    }
    var other = scene
    other.options.first = .theirs
    #expect(try other.outcome("SELECT id, w, n FROM t") == ["1|A|NULL", "2|b|N", "3|c|NULL"])
  }

  @Test func `a column without a default that a migration filled alike fills the other's rows`()
    throws
  {
    let scene = try MergeScene(
      Self.schema,
      ours: Self.rebuilt("id INTEGER PRIMARY KEY, v, flag bool NOT NULL", "*, 0"),
      theirs: Self.rebuilt("id INTEGER PRIMARY KEY, v, rank INTEGER NOT NULL", "*, 5")
        + "INSERT INTO t VALUES(9,'new',5)")
    #expect(
      try scene.outcome("SELECT id, v, flag, rank FROM t") == [
        "1|a|0|5", "2|b|0|5", "3|c|0|5", "9|new|0|5",
      ])
  }

  @Test func `a column that needs values which the other side's rows have not is refused by row`()
    throws
  {
    let scene = try MergeScene(
      Self.schema,
      ours: Self.rebuilt("id INTEGER PRIMARY KEY, v, code TEXT NOT NULL", "*, 'c' || id"),
      theirs: "INSERT INTO t VALUES(9,'new')")
    for one in [scene, scene.mirrored] {
      let refusal = try #require(throws: MergeRefusal.self) { try one.merge() }
      #expect(refusal.rows == [[.integer(9)]] && refusal.reason.contains("code"))
    }
  }

  @Test(arguments: [
    ("ADD COLUMN n TEXT", "ADD COLUMN n INTEGER", "n INTEGER and as n TEXT"),
    ("RENAME COLUMN v TO w", "RENAME COLUMN v TO x", "v"),
  ])
  func `one column in two ways is refused by name`(
    mine: String, others: String, words: String
  ) throws {
    let scene = try MergeScene(
      Self.schema, ours: "ALTER TABLE t \(mine); UPDATE t SET id=id",
      theirs: "ALTER TABLE t \(others); UPDATE t SET v='x' WHERE id=1".replacing(
        "SET v='x'", with: others.hasPrefix("RENAME") ? "SET x='x'" : "SET v='x'"))
    for one in [scene, scene.mirrored] {
      let refusal = #expect(throws: MergeRefusal.self) { try one.merge() }
      #expect(refusal?.table == "t" && refusal?.reason.contains(words) ?? false)
    }
  }

  @Test func `a unique index that one side made brings new rows of both together`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "CREATE UNIQUE INDEX u ON t(v); INSERT INTO t VALUES(4,'same')",
      theirs: "INSERT INTO t VALUES(5,'same')")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["a", "b", "c", "same"])
  }

  @Test(arguments: [MergeSide.ours, .theirs])
  func `an index that the other side's rows break is refused with the rows of both`(
    first: MergeSide
  ) throws {
    for index in ["t(v)", "t(lower(v))", "t(v) WHERE v NOTNULL"] {
      var scene = try MergeScene(
        Self.schema,
        ours: "CREATE UNIQUE INDEX byName ON \(index); UPDATE t SET v='x' WHERE id=1",
        theirs: "UPDATE t SET v='x' WHERE id=2")
      scene.options.first = first
      for one in [scene, scene.mirrored] {
        let refusal = try #require(throws: MergeRefusal.self) { try one.merge() }
        let mine = Int64(one.ours === scene.ours ? 1 : 2)
        #expect(refusal.rows == [[.integer(mine)], [.integer(3 - mine)]], "\(refusal)")
        #expect(refusal.sides == [.ours, .theirs], "\(refusal)")
        #expect(refusal.reason.contains("byName"), "\(refusal)")
      }
    }
  }

  @Test(arguments: [MergeSide.ours, .theirs])
  func `a row of which an index over an expression knows nothing is named`(first: MergeSide) throws
  {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,1)",
      ours: "CREATE INDEX byPlace ON t(abs(v))",
      theirs: "INSERT INTO t VALUES(7,-9223372036854775807 - 1)")
    scene.options.first = first
    let refusal = try #require(throws: MergeRefusal.self) { try scene.merge() }
    #expect(refusal.table == "t" && refusal.rows == [[.integer(7)]], "\(refusal)")
  }

  @Test func `options of a table that one side changed are taken`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: Self.rebuilt("id INTEGER PRIMARY KEY, v TEXT").replacing(
        "v TEXT)", with: "v TEXT) STRICT"),
      theirs: "ALTER TABLE t ADD COLUMN n INTEGER; INSERT INTO t VALUES(4,'d',4)")
    #expect(try scene.outcome("SELECT * FROM t WHERE id=4") == ["4|d|4"])
    let (result, _) = try scene.merge()
    #expect(throws: SQLiteError.self) { try result.run("INSERT INTO t VALUES(9, 'x', 'text')") }
  }
}
