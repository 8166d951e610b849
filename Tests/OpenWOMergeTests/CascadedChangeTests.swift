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

  @Test(arguments: ["city = 'x'", "city = 'x', zip = 'x'"])
  func `the one it points to is still that one if few other values changed`(sets: String) throws {
    let scene = try MergeScene(
      Self.numbered.replacing("name);", with: "name, city, zip);")
        .replacing("'a'), (2, 'b')", with: "'a', 'b', 'c'), (2, 'b', 'c', 'd')"),
      ours: Self.rename + "UPDATE p SET \(sets) WHERE id = 7", theirs: "DELETE FROM c WHERE id = 1")
    #expect(try scene.outcome(Self.all) == (sets.contains("zip") ? ["1|7|x", "2|7|y"] : ["2|7|y"]))
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
