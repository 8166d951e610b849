import Testing

@testable import OpenWOMerge

struct VirtualTableMergeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func scene(_ schema: String, ours: String, theirs: String) throws -> MergeScene {
    var databases: [TestDatabase] = []
    for (name, edit) in [("base", ""), ("ours", ours), ("theirs", theirs)] {
      let path = scratch.path(name)
      #expect(try Shell.run(schema + ";" + edit + ";", on: path) == "")
      databases.append(try TestDatabase(path))
    }
    return MergeScene(scratch, databases[0], databases[1], databases[2])
  }

  @Test func `a full-text index over a table knows the rows of both sides`() throws {
    let scene = try scene(
      "CREATE TABLE n(id INTEGER PRIMARY KEY, x); CREATE VIRTUAL TABLE f USING fts5(x, content='n', "
        + "content_rowid='id'); CREATE TRIGGER g AFTER INSERT ON n BEGIN INSERT INTO f(rowid, x) "
        + "VALUES (new.id, new.x); END; INSERT INTO n VALUES (1, 'old')",
      ours: "INSERT INTO n(x) VALUES ('apple')", theirs: "INSERT INTO n(x) VALUES ('pear')")
    let path = try scene.merge().result.path
    let check = "INSERT INTO f(f, rank) VALUES ('integrity-check', 1);"
    #expect(try Shell.run(check, on: path) == "")
  }

  @Test func `a full-text table that one side changed is taken from it`() throws {
    let scene = try scene(
      "CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE t(a); INSERT INTO f VALUES ('old')",
      ours: "INSERT INTO t VALUES (1)", theirs: "INSERT INTO f VALUES ('pear')")
    let result = try scene.merge().result
    #expect(try result.lines("SELECT c0 FROM f_content") == ["old", "pear"])
    #expect(try Shell.run("INSERT INTO f(f) VALUES ('integrity-check');", on: result.path) == "")
  }

  @Test
  func
    `a full-text table that one side dropped is gone, and refused where the other wrote into it`()
    throws
  {
    let schema =
      "CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE t(a); INSERT INTO f VALUES ('old')"
    let scene = try MergeScene(
      schema, ours: "INSERT INTO t VALUES (1)", theirs: "DROP TABLE f; INSERT INTO t VALUES (2)")
    #expect(try scene.outcome("SELECT name FROM sqlite_schema") == ["t"])
    #expect(try scene.outcome("SELECT a FROM t ORDER BY a") == ["1", "2"])
    let written = try MergeScene(
      schema, ours: "INSERT INTO f VALUES ('new')", theirs: "DROP TABLE f")
    for one in [written, written.mirrored] {
      let refusal = #expect(throws: MergeRefusal.self) { try one.merge() }
      #expect(refusal?.table == "f")
    }
  }

  @Test func `a full-text table that both changed is refused by name`() throws {
    let scene = try scene(
      "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('old')",
      ours: "INSERT INTO f VALUES ('apple')", theirs: "INSERT INTO f VALUES ('pear')")
    let refusal = #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(refusal?.table == "f")
  }
}
