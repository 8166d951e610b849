import Testing

@testable import OpenWOMerge

/// One side deletes a row that the other changed only by `ON UPDATE CASCADE`.
struct CascadedChangeTests {
  private static let numbered =
    "PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY, name); "
    + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE, v); "
    + "INSERT INTO p VALUES(1, 'a'), (2, 'b'); INSERT INTO c VALUES(1, 1, 'x'), (2, 1, 'y')"
  private static let rename = "PRAGMA foreign_keys = ON; UPDATE p SET id = 7 WHERE id = 1; "
  private static let all = "SELECT id, p, v FROM c ORDER BY id"

  @Test func `the row is deleted, as nobody changed it`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: Self.rename, theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["2|7|y"])
    #expect(try scene.merge().report.tables.allSatisfy(\.decided.isEmpty))
  }

  @Test func `a row that somebody changed as well stays`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: Self.rename + "UPDATE c SET v = 'new' WHERE id = 1",
      theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["1|7|new", "2|7|y"])
  }

  @Test func `a row that somebody made point to another one stays`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: "UPDATE c SET p = 2 WHERE id = 1", theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["1|2|x", "2|1|y"])
    let other = try MergeScene(
      Self.numbered,
      ours: "INSERT INTO p VALUES(7, 'other'); UPDATE c SET p = 7; DELETE FROM p WHERE id = 1",
      theirs: "DELETE FROM c WHERE id = 1")
    #expect(try other.outcome(Self.all) == ["1|7|x", "2|7|y"])
  }

  @Test func `a row stays that points to a row which changed as well`() throws {
    let scene = try MergeScene(
      Self.numbered.replacing("name);", with: "name, city, zip);")
        .replacing("'a'), (2, 'b')", with: "'a', 'b', 'c'), (2, 'b', 'c', 'd')"),
      ours: Self.rename + "UPDATE p SET city = 'x' WHERE id = 7",
      theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["1|7|x", "2|7|y"])
  }

  @Test func `a row stays that somebody made point to another one that is all defaults`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, name, color, sort DEFAULT 0, archived DEFAULT 0); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE, v); "
        + "INSERT INTO p(id, name) VALUES(1, 'Home'); INSERT INTO c VALUES(1, 1, 'x')",
      ours: "INSERT INTO p(id, name) VALUES(7, 'Work'); UPDATE c SET p = 7; "
        + "DELETE FROM p WHERE id = 1",
      theirs: "DELETE FROM c")
    #expect(try scene.outcome(Self.all) == ["1|7|x"])
  }

  @Test func `a row stays that somebody gave another tag, as tags have nothing but a key`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id TEXT PRIMARY KEY); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON UPDATE CASCADE, v); "
        + "INSERT INTO p VALUES('foo'); INSERT INTO c VALUES(1, 'foo', 'x')",
      ours: "INSERT INTO p VALUES('bar'); UPDATE c SET p = 'bar'; DELETE FROM p WHERE id = 'foo'",
      theirs: "DELETE FROM c")
    #expect(try scene.outcome(Self.all) == ["1|bar|x"])
  }

  @Test func `a row stays that points to one into which somebody joined two alike`() throws {
    let scene = try MergeScene(
      Self.numbered + "; INSERT INTO p VALUES(3, 'a'); INSERT INTO c VALUES(3, 3, 'z')",
      ours: "INSERT INTO p VALUES(7, 'a'); UPDATE c SET p = 7 WHERE p IN (1, 3); "
        + "DELETE FROM p WHERE id IN (1, 3)",
      theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["1|7|x", "2|7|y", "3|7|z"])
  }

  @Test func `a row that came again under another number follows the one it points to`() throws {
    let scene = try MergeScene(
      "PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY, name); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, code UNIQUE, p REFERENCES p ON UPDATE CASCADE); "
        + "CREATE TABLE d(id INTEGER PRIMARY KEY, c REFERENCES c); "
        + "INSERT INTO p VALUES(1, 'a'); INSERT INTO c VALUES(1, 'x', 1)",
      ours: "PRAGMA foreign_keys = ON; UPDATE p SET id = 7; INSERT INTO d VALUES(1, 1)",
      theirs: "DELETE FROM c; INSERT INTO c VALUES(5, 'x', 1)")
    #expect(try scene.outcome("SELECT id FROM p") == ["7"])
    #expect(try scene.outcome("SELECT code, p FROM c") == ["x|7"])
  }

  @Test func `a row stays that went with the one it points to, which stays`() throws {
    let schema = Self.numbered.replacing("CASCADE", with: "CASCADE ON DELETE CASCADE")
    let scene = try MergeScene(
      schema, ours: Self.rename, theirs: "PRAGMA foreign_keys = ON; DELETE FROM p WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["1|7|x", "2|7|y"])
  }

  @Test func `a row stays that went with another one it points to, which stays`() throws {
    let scene = try MergeScene(
      "PRAGMA foreign_keys = ON; CREATE TABLE p(id INTEGER PRIMARY KEY, name); "
        + "CREATE TABLE q(id INTEGER PRIMARY KEY); CREATE TABLE c(id INTEGER PRIMARY KEY, "
        + "p REFERENCES p ON UPDATE CASCADE, q REFERENCES q ON DELETE CASCADE); "
        + "INSERT INTO p VALUES(1, 'a'); INSERT INTO q VALUES(1); INSERT INTO c VALUES(1, 1, 1)",
      ours: Self.rename + "INSERT INTO c VALUES(2, 7, 1)",
      theirs: "PRAGMA foreign_keys = ON; DELETE FROM q")
    #expect(try scene.outcome("SELECT id, p, q FROM c ORDER BY id") == ["1|7|1", "2|7|1"])
  }

  @Test(arguments: ["code TEXT UNIQUE, id INTEGER PRIMARY KEY", "code TEXT PRIMARY KEY, id"])
  func `a key of text that others point to counts as well`(columns: String) throws {
    let scene = try MergeScene(
      "PRAGMA foreign_keys = ON; CREATE TABLE p(\(columns)); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p(code) ON UPDATE CASCADE, v); "
        + "INSERT INTO p VALUES('a', 1), ('b', 2); INSERT INTO c VALUES(1, 'a', 'x'), (2, 'b', 'y')",
      ours: "PRAGMA foreign_keys = ON; UPDATE p SET code = code || '!'",
      theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == ["2|b!|y"])
  }
}
