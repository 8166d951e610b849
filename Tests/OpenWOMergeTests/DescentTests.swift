import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// The state of a version's own changes in a database without a history.
@Suite struct DescentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The changes of the version, and the later changes of the database.
    var own, later: String
    var descent: Descent

    init(_ descent: Descent, _ own: String, then later: String) {
      (self.own, self.later, self.descent) = (own, later, descent)
    }

    var testDescription: String { "\(own), then \(later): \(descent)" }
  }

  private static let cases = [
    Case(.silent, "", then: "INSERT INTO t VALUES(9,9,9,9)"),
    Case(.grown, "INSERT INTO t VALUES(3,3,3,3)", then: ""),
    // It may be the version's row that was changed, or another one of that number.
    Case(.silent, "INSERT INTO t VALUES(3,3,3,3)", then: "UPDATE t SET a = 0 WHERE id = 3"),
    // Another row under the same number was made apart.
    Case(
      .contradicted, "INSERT INTO t VALUES(3,3,3,3)",
      then: "UPDATE t SET a = 0, b = 0, c = 0 WHERE id = 3"),
    Case(.contradicted, "INSERT INTO t VALUES(3,3,3,3)", then: "DELETE FROM t WHERE id = 3"),
    Case(.alike, "DELETE FROM t WHERE id = 1", then: "UPDATE t SET a = 0 WHERE id = 2"),
    Case(.contradicted, "DELETE FROM t WHERE id = 1", then: "INSERT INTO t VALUES(1,1,1,1)"),
    Case(.alike, "UPDATE t SET a = 8 WHERE id = 1", then: "UPDATE t SET b = 8 WHERE id = 1"),
    // The version's value is overwritten, so it cannot be seen any more.
    Case(.silent, "UPDATE t SET a = 8 WHERE id = 1", then: "UPDATE t SET a = 9 WHERE id = 1"),
    Case(
      .silent, "UPDATE t SET a = 8, b = 8; UPDATE u SET k = k",
      then: "UPDATE t SET b = 9 WHERE id = 1; UPDATE t SET c = 9 WHERE id = 2"),
    // The other side may have made a kept change as well, and may never have seen an overwritten
    // one.
    Case(
      .silent, "CREATE INDEX i ON t(a); INSERT INTO t VALUES(3,3,3,3)",
      then: "UPDATE t SET c = 0 WHERE id = 3"),
    Case(
      .silent, "UPDATE t SET a = 8 WHERE id = 1; UPDATE t SET b = 8 WHERE id = 2",
      then: "UPDATE t SET a = 9 WHERE id = 1"),
    // A row of its own says more, unless more is overwritten.
    Case(
      .grown, "UPDATE t SET a = 8; INSERT INTO t VALUES(3,3,3,3)",
      then: "UPDATE t SET a = 9 WHERE id = 1"),
    Case(
      .grown, "UPDATE t SET a = 8; INSERT INTO t VALUES(3,3,3,3)",
      then: "UPDATE t SET a = 9 WHERE id < 3"),
    // Not so rows of a table that it made: a migration may fill them in.
    Case(
      .silent, "INSERT INTO t VALUES(3,3,3,3),(4,4,4,4),(5,5,5,5)",
      then: "UPDATE t SET a = 9 WHERE id IN (3, 4)"),
    Case(.alike, "CREATE TABLE n(a); INSERT INTO n VALUES(1)", then: "INSERT INTO n VALUES(2)"),
    Case(.alike, "CREATE TABLE n(a); INSERT INTO n VALUES(1)", then: ""),
    Case(.contradicted, "UPDATE t SET a = 8 WHERE id = 1", then: "UPDATE t SET a = 1 WHERE id = 1"),
    Case(.contradicted, "UPDATE t SET a = 8 WHERE id = 1", then: "DELETE FROM t WHERE id = 1"),
    // One undone change weighs more than one that is kept.
    Case(
      .contradicted, "INSERT INTO t VALUES(3,3,3,3); UPDATE t SET a = 8 WHERE id = 1",
      then: "UPDATE t SET a = 1 WHERE id = 1"),
    // A value in a column that the version added is a change like any other.
    Case(
      .contradicted, "ALTER TABLE t ADD COLUMN d; UPDATE t SET d = 8 WHERE id = 1",
      then: "UPDATE t SET d = NULL WHERE id = 1"),
    Case(
      .contradicted, "ALTER TABLE t ADD COLUMN d DEFAULT 5; UPDATE t SET d = 8 WHERE id = 1",
      then: "UPDATE t SET d = 5 WHERE id = 1; UPDATE t SET d = 9 WHERE id = 2"),
    Case(
      .silent, "ALTER TABLE t ADD COLUMN d DEFAULT 5; UPDATE t SET d = 8 WHERE id = 1",
      then: "UPDATE t SET d = 9 WHERE id = 1"),
    Case(
      .alike, "ALTER TABLE t ADD COLUMN d DEFAULT 5; UPDATE t SET a = 8 WHERE id = 1",
      then: "UPDATE t SET d = 9 WHERE id = 1"),
    Case(.alike, "CREATE INDEX i ON t(a)", then: "INSERT INTO t VALUES(3,3,3,3)"),
    Case(.contradicted, "CREATE INDEX i ON t(a)", then: "DROP INDEX i"),
    Case(.silent, "CREATE INDEX i ON t(a)", then: "DROP INDEX i; CREATE INDEX i ON t(b)"),
    Case(.alike, "DROP TABLE u", then: "INSERT INTO t VALUES(3,3,3,3)"),
    Case(
      .contradicted, "DROP TABLE u", then: "CREATE TABLE u(k); INSERT INTO u VALUES(1),(2)"),
  ]

  @Test(arguments: cases) func `an undone change contradicts, and a kept change confirms`(
    _ given: Case
  ) throws {
    let scratch = try Scratch()
    let parent = try scratch.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c); INSERT INTO t VALUES(1,1,1,1),(2,2,2,2);"
        + "CREATE TABLE u(k); INSERT INTO u VALUES(1),(2)")
    let version = try scratch.copy(parent, given.own)
    let database = try scratch.copy(version, given.later)
    let later = try difference(version, database)
    let own = try OpenWOMerge.difference(
      from: parent.connection, to: version.connection, options: .ofAllChanges(rows: .all))
    #expect(Descent(own: own, later: later) == given.descent)
  }

  @Test(arguments: [
    // Rows of a full-text table are compared like any others.
    ("fts5(t)", "INSERT INTO v VALUES('b')", "INSERT INTO v VALUES('c')", Descent.grown),
    ("fts5(t)", "INSERT INTO v VALUES('b')", "DELETE FROM v WHERE rowid = 2", .contradicted),
    ("fts4(t)", "UPDATE v SET t = 'b'", "UPDATE v SET t = 'x'", .contradicted),
    ("rtree(t, a, b)", "INSERT INTO v VALUES(2, 1, 2)", "INSERT INTO v VALUES(3, 1, 2)", .grown),
    ("rtree(t, a, b)", "INSERT INTO v VALUES(2, 1, 2)", "DELETE FROM v WHERE t = 2", .contradicted),
    // Of an index without rows it is only seen that both changed something.
    (
      "fts5(t, content='')", "INSERT INTO v(rowid, t) VALUES(2, 'b')",
      "INSERT INTO v(rowid, t) VALUES(3, 'c')", .contradicted
    ),
    (
      "fts5(t, content='')", "INSERT INTO v(rowid, t) VALUES(2, 'b')", "INSERT INTO u VALUES(1)",
      .alike
    ),
    // An index of another table's rows follows them, or was written by itself.
    (
      "fts5(k, content='u')", "INSERT INTO u VALUES('b'); INSERT INTO v(v) VALUES('rebuild')",
      "INSERT INTO u VALUES('c'); INSERT INTO v(v) VALUES('rebuild')", .grown
    ),
    (
      "fts5(k, content='u')", "INSERT INTO v(rowid, k) VALUES(9, 'b')",
      "INSERT INTO u VALUES('c'); INSERT INTO v(v) VALUES('rebuild')", .contradicted
    ),
  ])
  func `changes of a virtual table are seen, or count as undone`(
    module: String, own: String, since: String, descent: Descent
  ) throws {
    let scratch = try Scratch()
    let row =
      module.hasPrefix("rtree")
      ? " VALUES(1, 1, 2)" : "(rowid, \(module.contains("k") ? "k" : "t")) VALUES(1, 'x')"
    let parent = try scratch.database(
      "CREATE VIRTUAL TABLE v USING \(module); INSERT INTO v\(row); CREATE TABLE u(k)")
    let version = try scratch.copy(parent, own)
    let database = try scratch.copy(version, since)
    func changes(_ old: TestDatabase, _ new: TestDatabase) throws -> DatabaseDifference {
      try OpenWOMerge.difference(
        from: old.connection, to: new.connection, options: .ofAllChanges(rows: .all))
    }
    let found = Descent(own: try changes(parent, version), later: try changes(version, database))
    #expect(found == descent)
  }

  @Test(arguments: [
    ("k TEXT COLLATE NOCASE PRIMARY KEY, v", "'Anna', 1", "k = 'ANNA', v = 9", "k = 'Anna', v = 1"),
    ("k REAL, l, v, PRIMARY KEY(k, l)", "NULL, 'l', 1", "v = 9", "v = 1"),
  ])
  func `a row is found by another spelling of its key, or by its values without a key`(
    columns: String, row: String, edit: String, undo: String
  ) throws {
    let scratch = try Scratch()
    let parent = try scratch.database(
      "CREATE TABLE x(\(columns)); INSERT INTO x VALUES(\(row)); CREATE TABLE y(v)")
    let version = try scratch.copy(parent, "UPDATE x SET \(edit); INSERT INTO y VALUES(1)")
    let database = try scratch.copy(version, "UPDATE x SET \(undo)")
    let later = try difference(version, database)
    #expect(Descent(own: try difference(parent, version), later: later) == .contradicted)
  }

  @Test func `a comparison that is cut short confirms nothing`() throws {
    let scratch = try Scratch()
    let parent = try scratch.database("CREATE TABLE t(id INTEGER PRIMARY KEY)")
    let version = try scratch.copy(parent, "INSERT INTO t VALUES(1)")
    let database = try scratch.copy(version, "INSERT INTO t VALUES(2),(3)")
    let later = try difference(version, database, rows: .upTo(1))
    #expect(Descent(own: try difference(parent, version), later: later) == .contradicted)
    #expect(!later.keepsAll)
  }

  @Test func `changes of a version beyond those that were compared may be undone`() throws {
    let scratch = try Scratch()
    let parent = try scratch.database("CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
    let version = try scratch.copy(parent, "INSERT INTO t VALUES(1,1),(2,2)")
    let own = try difference(parent, version, rows: .upTo(1))
    let undone = try scratch.copy(version, "DELETE FROM t WHERE id = 2")
    #expect(Descent(own: own, later: try difference(version, undone)) == .contradicted)
    let added = try scratch.copy(version, "INSERT INTO t VALUES(3,3)")
    #expect(Descent(own: own, later: try difference(version, added)) == .grown)
  }

  @Test(arguments: [
    ("INSERT INTO t VALUES(3,3,3,3)", true), ("UPDATE t SET a = 0 WHERE id = 1", true),
    ("UPDATE t SET a = 0, b = 0, c = 0 WHERE id = 1", false), ("DELETE FROM t WHERE id = 1", false),
    ("DROP TABLE t", false), ("DROP INDEX i", false), ("CREATE INDEX j ON t(b)", true),
  ])
  func `all rows count as kept if each is there with at most a few changed cells`(
    edit: String, isKept: Bool
  ) throws {
    let scratch = try Scratch()
    let old = try scratch.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c); INSERT INTO t VALUES(1,1,1,1),(2,2,2,2);"
        + "CREATE INDEX i ON t(a)")
    let new = try scratch.copy(old, edit)
    #expect(try difference(old, new).keepsAll == isKept)
  }

  private func difference(
    _ old: TestDatabase, _ new: TestDatabase, rows: DifferenceOptions.Rows = .all
  ) throws -> DatabaseDifference {
    try OpenWOMerge.difference(
      from: old.connection, to: new.connection, options: DifferenceOptions(rows: rows))
  }
}
