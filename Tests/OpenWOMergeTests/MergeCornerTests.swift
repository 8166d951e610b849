import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Tables that few apps have, and what must not happen to their rows.
struct MergeCornerTests {
  /// Rows that only their values tell from one another, some of which are one for the column's collation.
  @Test(arguments: [
    "CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT COLLATE NOCASE, w)",
    "CREATE TABLE t(rowid TEXT PRIMARY KEY, oid TEXT COLLATE NOCASE, _rowid_)",
    "CREATE TABLE t(rowid, oid TEXT COLLATE NOCASE, _rowid_)",
  ])
  func `of rows with NULL in their key only the deleted one goes`(schema: String) throws {
    let column = schema.contains("oid") ? "oid" : "v"
    var scene = try MergeScene(
      schema
        + "; INSERT INTO t VALUES(NULL,'a',1),(NULL,'A',1),(NULL,'A',1),(NULL,'A',1.0),('k','x',0)",
      ours:
        "CREATE TABLE kept AS SELECT * FROM t; DELETE FROM t WHERE \(column) = 'A' COLLATE BINARY; "
        + "INSERT INTO t VALUES(NULL,'A',1),(NULL,'A',1.0); DROP TABLE kept",
      theirs: "INSERT INTO t VALUES(NULL,'b',1); UPDATE t SET \(column) = 'y' WHERE \(column) = 'x'"
    )
    for side in MergeSide.allCases {
      scene.options.first = side
      #expect(
        try scene.outcome("SELECT * FROM t").sorted()
          == ["NULL|A|1", "NULL|A|1.0", "NULL|a|1", "NULL|b|1", "k|y|0"])
    }
  }

  @Test func `a row under two text keys is one row by its unique value, and children follow`()
    throws
  {
    let scene = try MergeScene(
      "CREATE TABLE tag(id TEXT PRIMARY KEY, name TEXT UNIQUE, n) WITHOUT ROWID; "
        + "CREATE TABLE use(id TEXT PRIMARY KEY, tag REFERENCES tag(id)) WITHOUT ROWID",
      ours: "INSERT INTO tag VALUES('o','run',1); INSERT INTO use VALUES('1','o')",
      theirs: "INSERT INTO tag VALUES('t','run',1); INSERT INTO use VALUES('2','t')")
    #expect(
      try scene.outcome(
        "SELECT use.id, name FROM use JOIN tag ON tag.id = use.tag ORDER BY use.id")
        == ["1|run", "2|run"])
    #expect(try scene.outcome("SELECT count(*) FROM tag") == ["1"])
  }

  @Test func `a number that AUTOINCREMENT has used is not used again`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); CREATE TABLE u(v)",
      ours: "INSERT INTO u VALUES(1)",
      theirs: "INSERT INTO t VALUES(7, 0); DELETE FROM t")
    #expect(try scene.outcome("SELECT name, seq FROM sqlite_sequence") == ["t|7"])
  }

  @Test(arguments: ["", "ON CONFLICT REPLACE", "ON CONFLICT IGNORE", "ON CONFLICT FAIL"])
  func `a table's ON CONFLICT clause does not decide about rows`(clause: String) throws {
    let schema =
      "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT UNIQUE \(clause), v); "
      + "INSERT INTO t VALUES(1, 'a', 1), (2, 'b', 1)"
    let scene = try MergeScene(
      schema, ours: "UPDATE t SET name = 'x', v = 10 WHERE id = 1",
      theirs: "UPDATE t SET name = 'x', v = 20 WHERE id = 2")
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    let inserted = try MergeScene(
      schema, ours: "DELETE FROM t WHERE id = 1; INSERT INTO t VALUES(3, 'a', 10)",
      theirs: "UPDATE t SET v = 99 WHERE id = 1")
    #expect(throws: MergeRefusal.self) { try inserted.merge() }
    #expect(throws: MergeRefusal.self) { try inserted.mirrored.merge() }
  }

  @Test func `a key that distinguishes more than its column's collation names one row`() throws {
    for tail in ["", " WITHOUT ROWID"] {
      let scene = try MergeScene(
        "CREATE TABLE t(a TEXT COLLATE NOCASE, b, PRIMARY KEY(a COLLATE BINARY))\(tail); "
          + "INSERT INTO t VALUES('A', 1), ('a', 1), ('z', 1)",
        ours: "UPDATE t SET b = 10 WHERE a = 'A' COLLATE BINARY",
        theirs: "DELETE FROM t WHERE a = 'z'; UPDATE t SET b = 20 WHERE a = 'a' COLLATE BINARY")
      #expect(
        try scene.outcome("SELECT a, b FROM t ORDER BY a COLLATE BINARY") == ["A|10", "a|20"])
    }
  }

  @Test func `rows do not become one by a unique index that is gone`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, name, v); CREATE UNIQUE INDEX i ON t(name); "
        + "INSERT INTO t VALUES(1, 'foo', 'a')",
      ours: "DROP INDEX i; INSERT INTO t VALUES(2, 'bar', 'o2'), (3, 'bar', 'o3')",
      theirs: "INSERT INTO t VALUES(2, 'bar', 'n')")
    for one in [scene, scene.mirrored] {
      #expect(
        try one.merge().result.lines("SELECT v FROM t ORDER BY v") == ["a", "n", "o2", "o3"])
    }
  }

  @Test func `a recreated view keeps its triggers`() throws {
    let trigger = "CREATE TRIGGER r INSTEAD OF INSERT ON w BEGIN INSERT INTO t VALUES(NEW.v); END"
    let scene = try MergeScene(
      "CREATE TABLE t(v); CREATE VIEW w AS SELECT v FROM t; \(trigger)",
      ours: "INSERT INTO t VALUES(1)",
      theirs: "DROP VIEW w; CREATE VIEW w AS SELECT v, 1 AS one FROM t; \(trigger)")
    #expect(
      try scene.outcome("SELECT name FROM sqlite_schema WHERE type <> 'table' ORDER BY name")
        == ["r", "w"])
  }

  @Test func `without a base a table that one side has comes with its rows`() throws {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 1)",
      ours: "CREATE TABLE mine(k TEXT PRIMARY KEY); INSERT INTO mine VALUES('a'), ('b')",
      theirs: "CREATE TABLE other(v); INSERT INTO other VALUES(1), (1)")
    scene.hasBase = false
    scene.options.allowsEmptyBase = true
    #expect(
      try scene.outcome(
        "SELECT k FROM mine UNION ALL SELECT v FROM other UNION ALL SELECT v FROM t"
      )
      .sorted() == ["1", "1", "1", "a", "b"])
  }

  @Test func `a keyword in a comment of a table's SQL does not count`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY /* AUTOINCREMENT ' */, v -- AUTOINCREMENT \"\n)",
      ours: "INSERT INTO t VALUES(1, 'o')", theirs: "INSERT INTO t VALUES(1, 't')")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["o", "t"])
    let shape = try SchemaReader(connection: scene.base.connection).read().tables["t"]
    #expect(shape?.isAutoincrement == false)
  }

  @Test
  func `a dropped table is gone, or the merge is refused if the other side changed its rows`()
    throws
  {
    let schema =
      "CREATE TABLE t(v); CREATE TABLE u(id INTEGER PRIMARY KEY, v); CREATE INDEX i ON u(v); "
      + "CREATE VIEW w AS SELECT v FROM u; INSERT INTO t VALUES(1); INSERT INTO u VALUES(1, 1)"
    let drops = "DROP TABLE t; DROP VIEW w; DROP INDEX i"
    let scene = try MergeScene(
      schema, ours: drops, theirs: "ALTER TABLE u ADD COLUMN x; UPDATE u SET x = 5")
    #expect(try scene.outcome("SELECT name FROM sqlite_schema ORDER BY name") == ["u"])
    #expect(try scene.outcome("SELECT * FROM u") == ["1|1|5"])
    let refused = try MergeScene(schema, ours: drops, theirs: "INSERT INTO t VALUES(2)")
    let error = #expect(throws: MergeRefusal.self) { try refused.merge() }
    #expect("\(error.map { "\($0)" } ?? "")".contains("dropped"))
  }

  @Test func `a row with a broken reference on its side is taken unchanged`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p)",
      ours: "INSERT INTO p VALUES(1, 'o')",
      theirs: "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(1, 99)")
    #expect(try scene.outcome("SELECT id, p FROM c") == ["1|99"])
  }

  @Test(arguments: MergeSide.allCases)
  func `unique values that change places meet a column that the other side added`(first: MergeSide)
    throws
  {
    for identity in ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY"] {
      var scene = try MergeScene(
        "CREATE TABLE t(id \(identity), u UNIQUE, v); INSERT INTO t VALUES(1,'a',0),(2,'b',0),(3,'c',0)",
        ours: "ALTER TABLE t ADD COLUMN x; UPDATE t SET x = id * 10",
        theirs: "UPDATE t SET u = 'z' WHERE id = 1; UPDATE t SET u = 'a' WHERE id = 2; "
          + "UPDATE t SET u = 'b' WHERE id = 1; DELETE FROM t WHERE id = 3; INSERT INTO t VALUES(4,'c',1)"
      )
      scene.options.first = first
      #expect(
        try scene.outcome("SELECT id, u, v, x FROM t ORDER BY id")
          == ["1|b|0|10", "2|a|0|20", "4|c|1|NULL"])
    }
  }

  @Test(arguments: MergeSide.allCases)
  func `a view, an index and a trigger that one side dropped go if the other recreated the table`(
    first: MergeSide
  ) throws {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); CREATE INDEX i ON t(v); CREATE VIEW w AS SELECT v FROM t; "
        + "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET v = 'fired'; END; "
        + "CREATE TRIGGER h AFTER DELETE ON t BEGIN UPDATE t SET v = 'fired'; END; INSERT INTO t VALUES(1,1)",
      ours:
        "DROP VIEW w; DROP INDEX i; DROP TRIGGER g; INSERT INTO t VALUES(2,2); CREATE INDEX j ON t(v)",
      theirs: "ALTER TABLE t ADD COLUMN x; UPDATE t SET x = 7; UPDATE t SET v = 1")
    scene.options.first = first
    #expect(
      try scene.outcome("SELECT name FROM sqlite_schema ORDER BY name") == ["h", "j", "t"])
    #expect(try scene.outcome("SELECT * FROM t ORDER BY id") == ["1|1|7", "2|2|NULL"])
  }
}
