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

  @Test(arguments: [
    (
      "n_content(id INTEGER PRIMARY KEY, body)",
      "fts5(body, content='n_content', content_rowid='id')"
    ),
    ("n_content(id INTEGER PRIMARY KEY, body)", "fts4(content=\"n_content\", body)"),
    ("n_docsize(id INTEGER PRIMARY KEY, body)", "fts5(body)"),
    ("n_docsize(id INTEGER PRIMARY KEY, sz)", "fts5(body, columnsize=0)"),
    ("n_stat(id INTEGER PRIMARY KEY, body)", "fts3(body)"),
    ("n_docsize(docid INTEGER PRIMARY KEY, size)", "fts3(body)"),
    ("n_docsize(docid INTEGER PRIMARY KEY, size)", "fts4(body, matchinfo=fts3)"),
    ("n_content(id INTEGER PRIMARY KEY, c0)", "fts5(body, content='')"),
    ("n_node(id INTEGER PRIMARY KEY, body)", "fts5(body)"),
  ])
  func `a table is not a shadow table by its name alone`(_ table: String, _ module: String) throws {
    // Made after the virtual table, as the module needs the name for itself.
    let name = table.prefix { $0 != "(" }
    let takesName = name == "n_docsize" && module == "fts5(body)"
    let virtual = "CREATE VIRTUAL TABLE n USING \(module)"
    let schema =
      takesName
      ? "CREATE TABLE n(a); CREATE TABLE \(table); INSERT INTO \(name) VALUES (1, 'one')"
      : "\(virtual); CREATE TABLE \(table); INSERT INTO \(name) VALUES (1, 'one')"
    let scene = try scene(
      schema, ours: "INSERT INTO \(name) VALUES (2, 'two')",
      theirs: "INSERT INTO \(name) VALUES (3, 'three')")
    let found = try difference(from: scene.base.connection, to: scene.ours.connection)
    #expect(found.tables.map(\.table) == [String(name)])
    let column = table.contains("body") ? "body" : (table.contains("c0") ? "c0" : "2")
    #expect(try scene.merge().result.cells("SELECT \(column) FROM \(name)").count == 3)
  }

  @Test func `the tables that a module makes are shadows, under a new name too`() throws {
    let path = scratch.path("all")
    let made =
      "CREATE VIRTUAL TABLE a USING fts5(x); CREATE VIRTUAL TABLE b USING fts5(x, content='', "
      + "contentless_delete=1); CREATE VIRTUAL TABLE c USING fts4(x, languageid='l'); "
      + "CREATE VIRTUAL TABLE d USING fts3(x); INSERT INTO d(d) VALUES ('automerge=8'); "
      + "CREATE VIRTUAL TABLE e USING rtree(id, x0, x1, +note); "
      + "CREATE VIRTUAL TABLE f USING fts5(x, content='t'); ALTER TABLE a RENAME TO g;"
    #expect(try Shell.run(made.replacing(", contentless_delete=1", with: ""), on: path) == "")
    let schema = try SchemaReader(connection: TestDatabase(path).connection).read()
    #expect(schema.tables.keys.sorted() == [])
    #expect(schema.shadowTables.count > 20)
  }

  /// A module that no SQLite here has, with the tables that it would make.
  private func unknown(ours: String, theirs: String) throws -> MergeScene {
    try scene(
      "CREATE TABLE doc(id INTEGER PRIMARY KEY, x); CREATE TABLE vec_rowids(rowid INTEGER PRIMARY KEY, id); "
        + "CREATE TABLE vec_chunks(id INTEGER PRIMARY KEY, v BLOB); INSERT INTO vec_chunks "
        + "VALUES (1, x'00'); PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'vec', "
        + "'vec', 0, 'CREATE VIRTUAL TABLE vec USING vec0(v float[2])'); PRAGMA writable_schema = OFF",
      ours: ours, theirs: theirs)
  }

  @Test func `the tables of an unknown module are shown, and not merged cell by cell`() throws {
    let scene = try unknown(
      ours: "INSERT INTO vec_rowids VALUES (1, 1); INSERT INTO doc VALUES (1, 'a')",
      theirs: "UPDATE vec_chunks SET v = x'01'")
    let found = try difference(from: scene.base.connection, to: scene.theirs.connection)
    #expect(found.tables.map(\.table) == ["vec_chunks"])
    let refusal = #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(refusal?.table == "vec")
    #expect(refusal?.reason.contains("module is not known") ?? false)
  }

  @Test func `the tables of an unknown module that one side changed are taken from it`() throws {
    let scene = try unknown(
      ours: "INSERT INTO doc VALUES (1, 'a')",
      theirs: "UPDATE vec_chunks SET v = x'01'; INSERT INTO vec_rowids VALUES (1, 1)")
    #expect(
      try scene.outcome("SELECT hex(v), id, (SELECT x FROM doc) FROM vec_chunks") == ["01|1|a"])
  }
}
