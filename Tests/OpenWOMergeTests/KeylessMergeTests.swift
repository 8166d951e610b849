import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Tables without a key, whose rows VACUUM may renumber.
struct KeylessMergeTests {
  private static let schema = "CREATE TABLE t(v); INSERT INTO t VALUES('a'),('b'),('c'),('d')"
  private static let deletes = "DELETE FROM t WHERE v='a'; VACUUM"

  @Test(arguments: [true, false])
  func `rows that nobody changed are there after a VACUUM of either side`(isOurs: Bool) throws {
    let writes = "UPDATE t SET v='B' WHERE v='b'; INSERT INTO t VALUES('e')"
    let scene = try MergeScene(
      Self.schema, ours: isOurs ? Self.deletes : writes, theirs: isOurs ? writes : Self.deletes)
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["B", "c", "d", "e"])
  }

  @Test func `after a VACUUM of both sides only rows that a side deleted are gone`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.deletes, theirs: "DELETE FROM t WHERE v='c'; VACUUM")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["b", "d"])
  }

  @Test func `rows of a refilled table are found by their content`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: "CREATE TEMP TABLE k AS SELECT v FROM t WHERE v <> 'a'; DELETE FROM t; "
        + "INSERT INTO t SELECT v FROM k",
      theirs: "UPDATE t SET v='D' WHERE v='d'")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["D", "b", "c"])
  }

  @Test func `equal rows are counted`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(v); INSERT INTO t VALUES('x'),('y'),('x'),('x'),('z')",
      ours: "DELETE FROM t WHERE rowid=1; DELETE FROM t WHERE v='y'; VACUUM",
      theirs: "INSERT INTO t VALUES('x'),('n')")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["n", "x", "x", "x", "z"])
  }

  @Test func `a row that one side deleted and the other inserted again is there once`() throws {
    var scene = try MergeScene(
      Self.schema, ours: Self.deletes, theirs: "UPDATE t SET v='a' WHERE v='b'")
    for first in MergeSide.allCases {
      scene.options.first = first
      #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["a", "c", "d"])
    }
  }

  @Test func `if no side renumbered rows, changes of two cells of a row are merged`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(v, w); INSERT INTO t VALUES('a',1),('b',2)",
      ours: "UPDATE t SET v='B' WHERE v='b'", theirs: "UPDATE t SET w=9 WHERE v='b'")
    #expect(try scene.outcome("SELECT * FROM t ORDER BY v") == ["B|9", "a|1"])
  }

  @Test func `cells of one row go together though a side made an index`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(v, w, x); INSERT INTO t VALUES('a',1,1),('b',2,2)",
      ours: "UPDATE t SET w=9 WHERE v='b'; CREATE INDEX i ON t(v)",
      theirs: "UPDATE t SET x=8 WHERE v='b'")
    for one in [scene, scene.mirrored] {
      #expect(try one.outcome("SELECT * FROM t ORDER BY v") == ["a|1|1", "b|9|8"])
    }
  }

  @Test func `an updated row stays against a delete after a VACUUM`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.deletes, theirs: "UPDATE t SET v='A' WHERE v='a'")
    #expect(try scene.outcome("SELECT v FROM t ORDER BY v") == ["A", "b", "c", "d"])
  }

  @Test(arguments: MergeSide.allCases)
  func `a written cell in a new column stays against a delete, and is reported`(first: MergeSide)
    throws
  {
    let add = "ALTER TABLE t ADD COLUMN n DEFAULT 'dd';"
    var scene = try MergeScene(
      Self.schema, ours: add + "UPDATE t SET n='ours' WHERE v='a'",
      theirs: add + "DELETE FROM t WHERE v<'c'; VACUUM; INSERT INTO t VALUES('e', 'theirs')")
    scene.options.first = first
    #expect(
      try scene.outcome("SELECT * FROM t ORDER BY v") == ["a|ours", "c|dd", "d|dd", "e|theirs"])
    #expect(
      try scene.merge().report.tables.flatMap(\.decided).map(\.conflict) == [.deleteAgainstUpdate])
  }

  @Test func `a renamed column of a table without a key loses no row and keeps no deleted one`()
    throws
  {
    let rename = "ALTER TABLE t RENAME COLUMN v TO w;"
    let one = try MergeScene(
      Self.schema, ours: rename + "UPDATE t SET w='A' WHERE w='a'",
      theirs: "DELETE FROM t WHERE v='b'; VACUUM")
    #expect(try one.outcome("SELECT w FROM t ORDER BY w") == ["A", "c", "d"])
    let both = try MergeScene(
      Self.schema, ours: rename + "UPDATE t SET w='A' WHERE w='a'",
      theirs: rename + "DELETE FROM t WHERE w='b'; VACUUM")
    #expect(try both.outcome("SELECT w FROM t ORDER BY w") == ["A", "c", "d"])
  }

  @Test func `rows are distinguished by their content even in the result of such a merge`() throws {
    let vacuumed = try MergeScene(
      Self.schema, ours: Self.deletes, theirs: "VACUUM; UPDATE t SET v='D' WHERE v='d'")
    let merged = try vacuumed.merge().result
    for (base, name) in [(vacuumed.ours, "ours"), (vacuumed.theirs, "theirs")] {
      let after = try vacuumed.scratch.copy(merged, "UPDATE t SET v='C' WHERE v='c'")
      let other = try vacuumed.scratch.copy(base, "INSERT INTO t VALUES('e')")
      let again = MergeScene(vacuumed.scratch, base, after, other)
      #expect(
        try again.outcome("SELECT v FROM t ORDER BY v") == ["C", "D", "b", "e"], "\(name)")
    }
  }

  @Test func `rows that an earlier merge renumbered are still known by their numbers`() throws {
    var scene = try MergeScene(
      "CREATE TABLE t(v); INSERT INTO t VALUES('a')",
      ours: "UPDATE t SET rowid=3; INSERT INTO t(rowid, v) VALUES(1,'b'),(2,'c')",
      theirs: "INSERT INTO t VALUES('d')")
    scene.options.moved.ours = ["t": [1: 3]]
    let (result, report) = try scene.merge()
    #expect(try result.lines("SELECT rowid, v FROM t") == ["1|b", "2|c", "3|a", "4|d"])
    let changes = try #require(report.numbers["t"])
    #expect(changes.contains(NumberChange(side: .theirs, from: 2, to: 4, origin: .alone)))
  }

  @Test func `after a merge that did not trust rowids no later merge does`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: "CREATE TEMP TABLE k AS SELECT v FROM t WHERE v <> 'a'; DELETE FROM t; "
        + "INSERT INTO t SELECT v FROM k",
      theirs: "INSERT INTO t VALUES('e')")
    let version = "PRAGMA schema_version"
    let before = try #require(scene.base.lines(version).first.flatMap { Int($0) })
    let after = try #require(scene.merge().result.lines(version).first.flatMap { Int($0) })
    #expect(after > before)
  }
}
