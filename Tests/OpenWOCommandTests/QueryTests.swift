import Testing

/// `openwo query`: SQL that can only read.
struct QueryTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT, n);
        INSERT INTO entry VALUES (1, 'one', 1.5), (2, 'a,b', NULL); CREATE VIEW texts AS SELECT text FROM entry;
        CREATE VIRTUAL TABLE found USING fts5(t); INSERT INTO found VALUES ('needle');
        CREATE VIRTUAL TABLE box USING rtree(id, x0, x1); INSERT INTO box VALUES (1, 0, 1)"
      openwo init diary.db
      openwo edit diary.db -q -- sqlite3 {} "UPDATE entry SET text = 'now' WHERE id = 1"
      """)
    return stage
  }

  @Test func `rows come as a table, csv or json, of the database or of a version`() throws {
    try stage().expect(
      """
      $ openwo query 'SELECT * FROM entry'
      id  text     n
       1  now    1.5
       2  a,b   NULL
      $ openwo query --at @~1 "SELECT text FROM texts WHERE text LIKE 'o%'"
      text
      one
      $ openwo query diary.db --csv 'SELECT text, n FROM entry;' | tr -d '\\r'
      text,n
      now,1.5
      "a,b",
      $ openwo query --json 'SELECT id, n FROM entry' | grep -o '"columns".*'
      "columns":["id","n"],"rows":[[1,1.5],[2,null]],"isCutShort":false}
      $ openwo query "SELECT x1 FROM box, found WHERE found MATCH 'needle'"
       x1
      1.0
      $ openwo query "SELECT 1 WHERE 0"
      1
      """)
  }

  private let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT"

  @Test func `rows beyond the limit are left out, and the report says so`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo query --limit 2 '\(endless) n FROM c'
      n
      1
      2
      ! openwo: note: there are more rows than 2; print more of them: --limit COUNT
      """)
    let report = try stage.json("openwo query --json '\(endless) n FROM c'")
    #expect((report["rows"] as? [Any])?.count == 1000 && report["isCutShort"] as? Bool == true)
  }

  @Test func `a query that takes too long ends with a status of its own`() throws {
    try stage().expect(
      """
      $ openwo query --timeout 0s '\(endless) max(n) FROM c'
      ! openwo: error: the query took longer than it may; nothing was changed
      ! openwo: hint: give it more time: openwo query --timeout 5m SQL
      [124]
      """)
  }

  @Test(arguments: [
    "DELETE FROM entry", "INSERT INTO entry(text) VALUES ('x') RETURNING id", "CREATE TABLE t(a)",
    "DROP TABLE entry", "ATTACH 'other.db' AS other", "VACUUM INTO 'other.db'", "VACUUM",
    "PRAGMA user_version = 7", "PRAGMA journal_mode = WAL", "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON", "PRAGMA wal_checkpoint", "PRAGMA optimize", "BEGIN IMMEDIATE",
    "SELECT load_extension('x')", "CREATE TEMP TABLE t(a)", "REINDEX", "ANALYZE",
    "INSERT INTO found(found) VALUES ('optimize')", "SELECT 1; DELETE FROM entry", "SELECT ?", "",
    "SELECT * FROM nothing",
  ])
  func `nothing but reading is possible`(sql: String) throws {
    let stage = try stage()
    let look = "find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try stage.text(look)
    for state in ["", "--at @~1"] {
      #expect(try stage.run("openwo query \(state) diary.db \"\(sql)\"").status == 64)
    }
    #expect(try stage.text(look) == before)
  }

  @Test func `the rows of a write-ahead log are seen, and it stays as it is`() throws {
    let stage = try stage()
    let editor = try SQLiteShell("diary.db", in: stage)
    try editor.run("PRAGMA journal_mode = WAL; INSERT INTO entry VALUES (3, 'logged', 0);")
    let look = "find . -type f -not -name '*-shm' -print0 | sort -z | xargs -0 sha256sum"
    let before = try stage.text(look)
    let query = "openwo query --csv 'SELECT text FROM entry WHERE id = 3'"
    #expect(try stage.text(query) == "text\r\nlogged\r\n")
    #expect(try stage.text("openwo diff").contains("entry  1 added"))
    #expect(try stage.text(look) == before)
    try editor.close()
  }

  @Test func `a query writes nothing in the folder, and works under a lock`() throws {
    let stage = try stage()
    try stage.text("sqlite3 diary.db 'DELETE FROM entry WHERE id = 2'")
    let look =
      "find . -printf '%p %T@ %C@ ' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try stage.text(look)
    let count = "--csv 'SELECT count(*) AS n FROM entry'"
    #expect(try stage.text("openwo query \(count)") == "n\r\n1\r\n")
    #expect(try stage.text("openwo query --at @ \(count)") == "n\r\n2\r\n")
    #expect(try stage.text("openwo query 'PRAGMA table_info(entry)'").contains("INTEGER"))
    #expect(try stage.text(look) == before)
    try stage.text("on mac openwo sync; on mac openwo lock")
    #expect(try stage.run("openwo query 'SELECT 1'").status == 0)
  }
}
