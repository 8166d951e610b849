import Foundation
import Testing

@testable import OpenWOMerge

@Suite struct DifferenceTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func differ(
    _ schema: String, _ edit: String, usesPages: Bool = true
  ) throws -> DatabaseDifference {
    let old = try scratch.database(schema)
    let new = try scratch.copy(old, edit)
    var options = DifferenceOptions(rows: .all)
    options.usesPages = usesPages
    return try difference(from: old.connection, to: new.connection, options: options)
  }

  private func counts(_ difference: DatabaseDifference) -> [String] {
    difference.tables.map {
      "\($0.table) +\($0.inserted) ~\($0.updated) -\($0.deleted) by \($0.keyedBy)"
    }
  }

  @Test func `rows are counted by declared key`() throws {
    let found = try differ(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1,1),(2,2),(3,3)",
      "UPDATE t SET a=9 WHERE id=1; DELETE FROM t WHERE id=2; INSERT INTO t VALUES(7,7),(8,8)")
    #expect(counts(found) == ["t +2 ~1 -1 by primaryKey"])
    #expect(
      found.tables[0].rows.map(\.key) == [
        [.integer(1)], [.integer(2)], [.integer(7)], [.integer(8)],
      ])
    #expect(found.tables[0].rows[0].old == [.integer(1), .integer(1)])
    #expect(found.tables[0].rows[0].new == [.integer(1), .integer(9)])
  }

  @Test(arguments: [true, false])
  func `every storage class is exact`(usesPages: Bool) throws {
    let pairs = [
      ("1", "1.0"), ("'a'", "x'61'"), ("'a'", "'a' || char(0) || 'b'"), ("0.0", "-0.0"),
      ("''", "x''"), ("NULL", "''"), ("'1'", "1"), ("9007199254740993", "9007199254740992.0"),
    ]
    for (before, after) in pairs {
      let found = try differ(
        "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, \(before))",
        "UPDATE t SET v = \(after)", usesPages: usesPages)
      #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"], "\(before) against \(after)")
    }
  }

  @Test func `a NaN is NULL, and a whole real stored as an integer is a real`() throws {
    let found = try differ(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, v REAL); INSERT INTO t VALUES(1, NULL), (2, 5)",
      "UPDATE t SET v = 9e999 - 9e999 WHERE k = 1; UPDATE t SET v = 5.0 WHERE k = 2")
    #expect(found.equal)
  }

  @Test func `a table without a key is compared by rowid and says so`() throws {
    let found = try differ(
      "CREATE TABLE t(a, b); INSERT INTO t VALUES(1,1),(1,1)", "DELETE FROM t WHERE rowid=2")
    #expect(counts(found) == ["t +0 ~0 -1 by rowid"])
  }

  @Test func `a table whose rowid has no accessible name is compared by whole rows`() throws {
    let found = try differ(
      "CREATE TABLE t(rowid, oid, _rowid_); INSERT INTO t VALUES(1,1,1),(1,1,1),(2,2,2)",
      "DELETE FROM t WHERE oid=1; INSERT INTO t VALUES(1,1,1),(3,3,3)")
    #expect(counts(found) == ["t +1 ~0 -1 by wholeRow"])
  }

  @Test(arguments: [true, false])
  func `a declared key finds its row under another rowid`(usesPages: Bool) throws {
    let found = try differ(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a',1),('b',2),('c',3)",
      "DELETE FROM t; INSERT INTO t VALUES('c',3),('b',9),('a',1)", usesPages: usesPages)
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
    #expect(found.tables[0].rows[0].key == [.text("b")])
  }

  @Test(arguments: [true, false])
  func `keys are equal by their collation`(usesPages: Bool) throws {
    let found = try differ(
      "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v) WITHOUT ROWID;"
        + "INSERT INTO t VALUES('Ab',1),('É',2)",
      "DELETE FROM t; INSERT INTO t VALUES('aB',1),('é',2)", usesPages: usesPages)
    #expect(counts(found) == ["t +1 ~1 -1 by primaryKey"])
  }

  @Test func `NULL in a key names no row`() throws {
    let found = try differ(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES(NULL,1),(NULL,1),(NULL,2)",
      "DELETE FROM t WHERE rowid=1; UPDATE t SET v=3 WHERE v=2")
    #expect(counts(found) == ["t +1 ~0 -2 by primaryKey"])
  }

  @Test func `generated columns are not data`() throws {
    let found = try differ(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, s AS (a+1) STORED, v AS (a+2), a, b);"
        + "INSERT INTO t(k,a,b) VALUES(1,1,1),(2,2,2)", "UPDATE t SET b=3 WHERE k=2")
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
    #expect(found.tables[0].newColumns == ["k", "a", "b"])
    #expect(found.tables[0].rows[0].new == [.integer(2), .integer(2), .integer(3)])
  }

  @Test func `tables on one side only are all rows`() throws {
    let found = try differ(
      "CREATE TABLE gone(a); INSERT INTO gone VALUES(1),(2); CREATE TABLE stays(a)",
      "DROP TABLE gone; CREATE TABLE made(a PRIMARY KEY) WITHOUT ROWID; INSERT INTO made VALUES(1)")
    #expect(counts(found) == ["gone +0 ~0 -2 by rowid", "made +1 ~0 -0 by primaryKey"])
    #expect(
      found.schemaChanges.map { "\($0.kind) \($0.type) \($0.name)" } == [
        "removed table gone", "added table made",
      ])
  }

  @Test(arguments: [true, false])
  func `with a column added the others are compared`(usesPages: Bool) throws {
    let found = try differ(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1,1),(2,2)",
      "ALTER TABLE t ADD COLUMN b DEFAULT 'x'; UPDATE t SET a=9 WHERE k=2", usesPages: usesPages)
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
    #expect(found.schemaChanges.map(\.kind) == [.changed])
    #expect(found.tables[0].rows[0].new == [.integer(2), .integer(9), .text("x")])
  }

  @Test func `rows older than a column show its default`() throws {
    let found = try differ(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a); INSERT INTO t VALUES(1,1),(2,2);"
        + "ALTER TABLE t ADD COLUMN b REAL DEFAULT 5; UPDATE t SET a=0 WHERE k=2",
      "UPDATE t SET b=b; UPDATE t SET b=6 WHERE k=1")
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
    #expect(found.tables[0].rows[0].old == [.integer(1), .integer(1), .real(5)])
  }

  @Test func `views, triggers, indexes and settings are schema`() throws {
    let found = try differ(
      "CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t(a)",
      "DROP VIEW v; CREATE VIEW v AS SELECT 1; DROP INDEX i; PRAGMA user_version=4;"
        + "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END")
    #expect(found.tables.isEmpty)
    #expect(
      found.schemaChanges.map { "\($0.kind) \($0.type) \($0.name)" } == [
        "removed index i", "changed setting user_version", "added trigger g", "changed view v",
      ])
  }

  @Test(.enabled(if: Shell.exists))
  func `a virtual table is schema, and its shadow tables are compared only on request`() throws {
    let paths = ["old", "new"].map { scratch.path($0) }
    for (path, word) in zip(paths, ["a", "b"]) {
      let made = "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES('\(word)');"
      #expect(try Shell.run(made, on: path) == "")
    }
    let (old, new) = (try TestDatabase(paths[0]), try TestDatabase(paths[1]))
    #expect(try difference(from: old.connection, to: new.connection).equal)
    var options = DifferenceOptions()
    options.includesShadowTables = true
    let found = try difference(from: old.connection, to: new.connection, options: options)
    #expect(found.tables.map(\.table).contains("f_content"))
  }

  @Test func `AUTOINCREMENT counters are reported separately`() throws {
    let found = try differ(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES(1,1)",
      "INSERT INTO t VALUES(5,5); DELETE FROM t WHERE id=5")
    #expect(found.equal)
    #expect(found.sequences == [SequenceChange(table: "t", old: 1, new: 5)])
  }

  @Test(arguments: [true, false])
  func `text in UTF-16 equals the same text in UTF-8`(usesPages: Bool) throws {
    let rows =
      "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID; CREATE TABLE r(id INTEGER PRIMARY KEY, v);"
      + "INSERT INTO t VALUES('a',1),('é','ü'),('\u{1F600}','x'),('ﬀ','y'); INSERT INTO r VALUES(1,'ö')"
    let old = try scratch.database("PRAGMA encoding='UTF-16be';" + rows)
    let new = try scratch.database(rows + ";UPDATE t SET v='z' WHERE k='ﬀ'")
    var options = DifferenceOptions()
    options.usesPages = usesPages
    let found = try difference(from: old.connection, to: new.connection, options: options)
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
  }

  @Test func `a database in WAL mode is compared through SQL`() throws {
    let old = try scratch.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    let new = try scratch.copy(old, "UPDATE t SET a=2")
    try new.script("BEGIN; UPDATE t SET a=3")
    let found = try difference(
      from: old.connection, to: new.connection, options: DifferenceOptions(rows: .all))
    #expect(found.tables[0].rows[0].new == [.integer(3)])
    try new.script("ROLLBACK")
  }

  @Test func `a view or trigger is never run`() throws {
    let hostile =
      "CREATE TABLE t(a); CREATE VIEW v AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r)"
      + " SELECT count(*) FROM r; INSERT INTO t VALUES(1)"
    #expect(counts(try differ(hostile, "UPDATE t SET a=2")) == ["t +0 ~1 -0 by rowid"])
  }

  @Test func `a big blob is found changed at its end`() throws {
    let found = try differ(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, zeroblob(10000000)), (2, 1)",
      "UPDATE t SET v = CAST(substr(v, 1, 9999999) AS BLOB) || x'01' WHERE k=1;"
        + "UPDATE t SET v = CAST(v AS BLOB) WHERE k=1")
    #expect(counts(found) == ["t +0 ~1 -0 by primaryKey"])
  }

  @Test func `an empty file is an empty database`() throws {
    let old = try scratch.database()
    let new = try scratch.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    #expect(
      counts(try difference(from: old.connection, to: new.connection)) == ["t +1 ~0 -0 by rowid"])
  }
}
