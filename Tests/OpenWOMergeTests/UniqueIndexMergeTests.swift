import Testing

@testable import OpenWOMerge

/// New rows that meet in an index over some rows, or over expressions.
struct UniqueIndexMergeTests {
  @Test func `rows that meet in a partial index are one row`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, parent, name); CREATE UNIQUE INDEX u ON p(name) "
        + "WHERE parent IS NULL; INSERT INTO p VALUES (1, NULL, 'root')",
      ours: "INSERT INTO p VALUES (2, NULL, 'Home')",
      theirs: "INSERT INTO p VALUES (2, 1, 'x'), (3, NULL, 'Home'), (4, 3, 'in it')")
    #expect(
      try scene.outcome("SELECT name, parent FROM p ORDER BY name") == [
        "Home|NULL", "in it|3", "root|NULL", "x|1",
      ])
  }

  @Test func `rows that meet in an index over an expression are one row`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id TEXT PRIMARY KEY, name); CREATE UNIQUE INDEX u ON p(lower(name) DESC)",
      ours: "INSERT INTO p VALUES ('a', 'Anna'), ('b', 'Bo')",
      theirs: "INSERT INTO p VALUES ('c', 'Cid'), ('d', 'ANNA')")
    #expect(
      try scene.outcome("SELECT id, lower(name) FROM p ORDER BY id") == ["a|anna", "b|bo", "c|cid"])
  }

  @Test func `columns that both sides added in another order are the same columns`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, name); INSERT INTO p VALUES (1, 'one'), (2, 'two')",
      ours: "ALTER TABLE p ADD COLUMN a; ALTER TABLE p ADD COLUMN b; "
        + "UPDATE p SET name = 'here', a = 1 WHERE id = 1",
      theirs: "ALTER TABLE p ADD COLUMN b; ALTER TABLE p ADD COLUMN a; "
        + "UPDATE p SET name = 'there', b = 2 WHERE id = 2")
    #expect(
      try scene.outcome("SELECT name, a, b FROM p ORDER BY id") == [
        "here|1|NULL", "there|NULL|2",
      ])
  }
}
