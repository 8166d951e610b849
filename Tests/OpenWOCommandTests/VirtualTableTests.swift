import Testing

/// Rows that virtual tables keep themselves are data like any other.
struct VirtualTableTests {
  private static let schema = """
    CREATE TABLE cfg(k TEXT PRIMARY KEY, v);
    CREATE VIRTUAL TABLE notes USING fts5('the title', body UNINDEXED, prefix='2 3');
    INSERT INTO notes VALUES('alpha', 'first');
    CREATE VIRTUAL TABLE old USING fts4(t, languageid='lang'); INSERT INTO old(t, lang) VALUES('four', 4);
    CREATE VIRTUAL TABLE older USING fts3(t); INSERT INTO older VALUES('three');
    CREATE VIRTUAL TABLE box USING rtree(id, x0, x1, +label); INSERT INTO box VALUES(1, 0.5, 1, 'one');
    CREATE VIRTUAL TABLE words USING fts5(w, content=''); INSERT INTO words(rowid, w) VALUES(1, 'w');
    CREATE TABLE page(id INTEGER PRIMARY KEY, text);
    CREATE VIRTUAL TABLE found USING fts5(text, content='page', content_rowid='id');
    """
  private static let edit = """
    UPDATE notes SET body = 'second'; INSERT INTO notes VALUES('beta', 2.0); DELETE FROM old;
    INSERT INTO older VALUES('three, too'); UPDATE box SET label = 'uno'; INSERT INTO box VALUES(2, 3, 4, NULL);
    INSERT INTO words(rowid, w) VALUES(2, 'x'); INSERT INTO page VALUES(7, 'seven');
    INSERT INTO found(rowid, text) VALUES(7, 'seven');
    """
  private static let tables = ["notes", "old", "older", "box", "page", "found"]

  /// A store whose virtual tables were edited behind its first version.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try run(Self.schema, "a.db", stage)
    try stage.text("cp a.db before.db && openwo init a.db")
    try run(Self.edit, "a.db", stage)
    return stage
  }

  private func run(_ sql: String, _ database: String, _ stage: Stage) throws {
    let result = try stage.run("sqlite3 -bail \(database)", input: sql)
    #expect(result.status == 0, "\(result.remarkText)")
  }

  private func rows(_ table: String, _ database: String, _ stage: Stage) throws -> String {
    try stage.text("sqlite3 -quote \(database) 'SELECT rowid, * FROM \(table)'")
  }

  @Test func `diff lists the rows of virtual tables, and says which it cannot compare`() throws {
    try stage().expect(
      """
      $ openwo diff a.db --rows --exit-code | tail -n +2
        box    1 added, 1 changed
          ~ 1: label 'one' → 'uno'
          + id 2, x0 3.0, x1 4.0, label NULL
        notes  1 added, 1 changed
          ~ 1: body 'first' → 'second'
          + rowid 2, the title 'beta', body 2.0
        old    1 removed
          - rowid 1, t 'four', lang 4
        older  1 added
          + rowid 2, t 'three, too'
        page   1 added
          + id 7, text 'seven'
        words  not compared: contents differ, and cannot be compared row by row
      """)
    #expect(try stage().run("openwo diff a.db --exit-code").status == 3)
  }

  @Test func `the script of diff changes virtual tables, and their indexes of other tables`() throws
  {
    let stage = try stage()
    let script = try stage.run("openwo diff a.db --sql")
    #expect(script.remarkText.contains("leaves words as it is"))
    try run(script.text, "before.db", stage)
    for table in Self.tables {
      #expect(try rows(table, "before.db", stage) == rows(table, "a.db", stage))
    }
    #expect(
      try stage.text("sqlite3 before.db \"SELECT rowid FROM found WHERE found MATCH 'seven'\"")
        == "7\n")
    try run(
      "INSERT INTO found(found, rank) VALUES('integrity-check', 1)", "before.db", stage)
  }

  @Test func `sql, json and csv have the rows of virtual tables`() throws {
    let stage = try stage()
    let script = try stage.run("openwo export a.db --format sql")
    #expect(script.remarkText.contains("left out words"))
    try run(script.text, "made.db", stage)
    for table in Self.tables {
      #expect(try rows(table, "made.db", stage) == rows(table, "a.db", stage))
    }
    let json = try stage.run("openwo export a.db")
    #expect(json.remarkText.contains("left out words"))
    #expect(json.text.contains(#"{"the title": "beta", "body": 2.0}"#))
    #expect(json.text.contains(#"{"id": 2, "x0": 3.0, "x1": 4.0, "label": null}"#))
    #expect(!json.text.contains("_content") && !json.text.contains("_node"))
    #expect(
      try stage.text("openwo export a.db --format csv --table older")
        == "t\r\nthree\r\n\"three, too\"\r\n"
    )
  }

  @Test func `a copy with another row in a virtual table is not called the same`() throws {
    let stage = try Stage()
    try run(Self.schema, "a.db", stage)
    try stage.text("cp a.db 'a (conflicted copy).db' && openwo init a.db")
    try run("INSERT INTO notes VALUES('gamma', 'there')", "'a (conflicted copy).db'", stage)
    let text = try stage.text("openwo conflicts show a.db")
    #expect(text.contains("+ rowid 2, the title 'gamma', body 'there'"))
  }

  @Test func `unlock reports edits in virtual tables`() throws {
    let stage = try Stage()
    try run(Self.schema, "a.db", stage)
    try stage.text("openwo init a.db && openwo lock a.db")
    try run("DELETE FROM notes; INSERT INTO words(rowid, w) VALUES(2, 'x')", "a.db", stage)
    let text = try stage.text("openwo unlock a.db --dry-run")
    #expect(text.contains("notes  1 removed"))
    let report = try stage.json("openwo unlock a.db --json")
    let changes = try #require(report["changes"] as? [[String: Any]])
    #expect(changes.compactMap { $0["table"] as? String } == ["notes", "words"])
    #expect(changes[1]["notCompared"] is String)
  }

  @Test func `rows are read without a tokenizer, and unknown modules are named`() throws {
    let stage = try Stage()
    try run(
      """
      CREATE VIRTUAL TABLE notes USING fts5(x); INSERT INTO notes VALUES('one');
      CREATE TABLE vec_chunks(id INTEGER PRIMARY KEY, data BLOB); INSERT INTO vec_chunks VALUES(1, x'00');
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES('table', 'vec', 'vec', 0, 'CREATE VIRTUAL TABLE vec USING vec0(e)');
      UPDATE sqlite_schema SET sql = 'CREATE VIRTUAL TABLE notes USING fts5(x, tokenize=ours)'
        WHERE name = 'notes';
      """, "a.db", stage)
    try stage.text("cp a.db before.db && openwo init a.db")
    try run(
      "INSERT INTO notes_content VALUES(2, 'two'); UPDATE vec_chunks SET data = x'01'", "a.db",
      stage)
    try stage.expect(
      """
      $ openwo diff a.db | tail -n +2
        notes       1 added
        vec         not compared: contents differ, and cannot be compared row by row
        vec_chunks  1 changed
      """)
    let json = try stage.run("openwo export a.db")
    #expect(json.text.contains(#"{"x": "two"}"#) && json.text.contains("vec_chunks"))
    #expect(json.remarkText.contains("left out vec: its module vec0 is not known here"))
    let script = try stage.run("openwo export a.db --format sql")
    #expect(script.remarkText.contains("left out vec"))
    #expect(!script.text.contains("USING vec0"))
  }

  @Test func `an index with a different spelling makes no difference`() throws {
    let stage = try Stage()
    try run(Self.schema + "INSERT INTO notes VALUES('b', 'c');", "a.db", stage)
    try stage.text("cp a.db before.db && openwo init a.db")
    try run("INSERT INTO notes(notes) VALUES('optimize')", "a.db", stage)
    #expect(try stage.run("openwo diff a.db --exit-code").status == 0)
  }
}
