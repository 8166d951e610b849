import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Rows that point to a row which gets another number go with it.
struct ReferenceMergeTests {
  private static let query =
    "SELECT c.w, p.v FROM c JOIN p ON p.id = c.p ORDER BY c.w, p.v"

  @Test(arguments: ["TEXT", "BLOB", "NUMERIC", "", "INTEGER"])
  func `foreign keys follow whatever the type of their column`(type: String) throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v); "
        + "CREATE TABLE c(w PRIMARY KEY, p \(type) REFERENCES p(id))",
      ours: "INSERT INTO p VALUES(1, 'a'); INSERT INTO c VALUES('a', '1')",
      theirs: "INSERT INTO p VALUES(1, 'b'); INSERT INTO c VALUES('b', '1')")
    #expect(try scene.outcome(Self.query) == ["a|a", "b|b"])
    let types = try scene.merge().result.lines("SELECT DISTINCT typeof(p) FROM c")
    #expect(types.count == 1 || ["BLOB", ""].contains(type))
  }

  @Test func `to a parent with text for its key`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id TEXT PRIMARY KEY, v UNIQUE); "
        + "CREATE TABLE c(w PRIMARY KEY, p INTEGER REFERENCES p(id))",
      ours: "INSERT INTO p VALUES('1', 'a'); INSERT INTO c VALUES('x', 1)",
      theirs: "INSERT INTO p VALUES('2', 'a'); INSERT INTO c VALUES('y', 2)")
    #expect(try scene.outcome(Self.query) == ["x|a", "y|a"])
  }

  @Test func `and a parent that was deleted stays for them`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(1, 'a'); "
        + "CREATE TABLE c(w PRIMARY KEY, p TEXT REFERENCES p(id))",
      ours: "DELETE FROM p", theirs: "INSERT INTO c VALUES('x', 1)")
    #expect(try scene.outcome(Self.query) == ["x|a"])
  }

  @Test(arguments: [true, false])
  func `in a table that the base has not, though both sides have the same rows`(
    hasBase: Bool
  ) throws {
    let tables =
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v); "
      + "CREATE TABLE c(w INTEGER PRIMARY KEY, p REFERENCES p); "
      + "CREATE TABLE h(k INTEGER PRIMARY KEY, c REFERENCES c); "
    let rows = "INSERT INTO c VALUES(1, 1), (2, NULL); INSERT INTO h VALUES(5, 1), (6, 2)"
    var scene = try MergeScene(
      "", ours: tables + "INSERT INTO p VALUES(1, 'a'); " + rows,
      theirs: tables + "INSERT INTO p VALUES(1, 'b'); " + rows)
    scene.hasBase = hasBase
    scene.options.allowsEmptyBase = !hasBase
    #expect(
      try scene.outcome(
        "SELECT p.v FROM h JOIN c ON c.w = h.c JOIN p ON p.id = c.p ORDER BY p.v") == ["a", "b"])
    #expect(try scene.outcome("SELECT count(*) FROM c") == ["3"])
    #expect(try scene.outcome("SELECT count(*) FROM h") == ["3"])
  }

  @Test func `foreign keys follow from a new table to an old one`() throws {
    func made(_ text: String) -> String {
      "INSERT INTO p VALUES(5, '\(text)'); CREATE TABLE c(w INTEGER PRIMARY KEY, p REFERENCES p); "
        + "INSERT INTO c VALUES(1, 5)"
    }
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v); INSERT INTO p VALUES(1, 'one')",
      ours: made("a"), theirs: made("b"))
    #expect(
      try scene.outcome("SELECT p.v FROM c JOIN p ON p.id = c.p ORDER BY p.v") == ["a", "b"])
  }

  @Test func `foreign keys follow a key that is named in another order than declared`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(a COLLATE NOCASE, b COLLATE NOCASE, v, PRIMARY KEY(a, b)); "
        + "INSERT INTO p VALUES('K', 'L', 1), ('M', 'N', 2); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, b, a, FOREIGN KEY(b, a) REFERENCES p(b, a))",
      ours: "DELETE FROM p WHERE a = 'K'", theirs: "INSERT INTO c VALUES(5, 'l', 'k')")
    #expect(try scene.outcome("SELECT v FROM c JOIN p ON p.a = c.a AND p.b = c.b") == ["1"])
  }

  /// A row that pointed nowhere before is gone meanwhile, and another one would point nowhere in its place.
  @Test(arguments: [
    (
      "UPDATE p SET code = 'b' WHERE id = 1; DELETE FROM c WHERE id = 7",
      "INSERT INTO c VALUES(2, 'a')"
    ),
    ("DROP TABLE p; DELETE FROM c", "INSERT INTO c VALUES(2, 'a')"),
  ])
  func `the merge is refused even if rows referred to nothing before`(
    ours: String, theirs: String
  ) throws {
    let schema =
      "PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, code UNIQUE); "
      + "INSERT INTO p VALUES(1, 'a'), (2, 'z'); "
      + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(code)); "
      + "INSERT INTO c VALUES(1, 'z'), (7, 'gone')"
    let scene = try MergeScene(
      schema, ours: "PRAGMA foreign_keys = OFF; \(ours)", theirs: theirs)
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(throws: MergeRefusal.self) { try scene.mirrored.merge() }
    let other = try MergeScene(
      schema, ours: "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(8, 'gone')",
      theirs: "PRAGMA foreign_keys = OFF; INSERT INTO c VALUES(9, 'gone')")
    #expect(try other.outcome("SELECT count(*) FROM c") == ["4"])
  }

  @Test func `a row of the base does not count as inserted by the other side`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, mail UNIQUE, name, phone); "
        + "INSERT INTO p VALUES(3, 'old', 'Ann', 123)",
      ours: "UPDATE p SET mail = 'new' WHERE id = 3",
      theirs: "INSERT INTO p VALUES(7, 'new', 'Bob', NULL)")
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(throws: MergeRefusal.self) { try scene.mirrored.merge() }
  }

  @Test func `a virtual table that may name rows by their old numbers is refused`() throws {
    let schema =
      "CREATE TABLE place(id INTEGER PRIMARY KEY, n); INSERT INTO place VALUES(1, 'p'); "
      + "CREATE VIRTUAL TABLE geo USING rtree(id, x0, x1); INSERT INTO geo VALUES(1, 0, 1)"
    var scene = try MergeScene(
      schema, ours: "INSERT INTO place VALUES(2, 'mine')",
      theirs: "INSERT INTO place VALUES(2, 'theirs'); INSERT INTO geo VALUES(2, 7, 8)")
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    scene.options.first = .theirs
    #expect(
      try scene.outcome("SELECT n, x0 FROM place JOIN geo USING (id) ORDER BY n")
        == ["p|0.0", "theirs|7.0"])
  }

  @Test(arguments: [
    "CREATE VIEW w AS SELECT b FROM t",
    "CREATE TRIGGER r AFTER UPDATE ON t BEGIN UPDATE u SET x = new.b; END",
    "CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET b = new.x; END",
    "CREATE TRIGGER r AFTER DELETE ON u BEGIN DELETE FROM t WHERE b = old.x; END",
  ])
  func `a definition with a column that the other side dropped is refused`(made: String) throws {
    let schema = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); CREATE TABLE u(x); "
    let dropping = "ALTER TABLE t DROP COLUMN b; ALTER TABLE t ADD COLUMN c"
    let scene = try MergeScene(schema, ours: dropping, theirs: made)
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(throws: MergeRefusal.self) { try scene.mirrored.merge() }
    // A definition that was already broken does not refuse the merge.
    let broken = made.replacing("b ", with: "gone ").replacing(".b", with: ".gone")
    let useless = try MergeScene(
      schema + broken, ours: "CREATE TABLE n(x)", theirs: "CREATE INDEX i ON t(a)")
    #expect(try useless.outcome("SELECT count(*) FROM sqlite_master WHERE name = 'i'") == ["1"])
  }
}

extension String {
  fileprivate func replacing(_ text: String, with new: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: new)
  }
}
