import Testing

/// `history --row`, `restore --row` and `restore --table`: single rows through time.
struct RowTests {
  /// Four versions: made, a text changed by a trigger's rules, a row removed with its parts, a column added.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT UNIQUE, edits INT);
        CREATE TABLE part(entry REFERENCES entry ON DELETE CASCADE, name TEXT, PRIMARY KEY(entry, name));
        INSERT INTO entry VALUES (1, 'one', 0), (2, 'two', 0); INSERT INTO part VALUES (1, 'a'), (2, 'b');
        CREATE VIRTUAL TABLE found USING fts5(text, content='entry', content_rowid='id');
        INSERT INTO found(found) VALUES ('rebuild');
        CREATE TRIGGER counts AFTER UPDATE OF text ON entry BEGIN
          UPDATE entry SET edits = edits + 1 WHERE id = new.id; END;
        CREATE VIRTUAL TABLE note USING fts5(t); INSERT INTO note VALUES ('n')"
      openwo init diary.db
      openwo edit -q -- sqlite3 {} "UPDATE entry SET text = 'eins' WHERE id = 1"
      openwo edit -q -- sqlite3 {} "DELETE FROM part WHERE entry = 2; DELETE FROM entry WHERE id = 2;
        UPDATE note SET t = 'm'; INSERT INTO found(found) VALUES ('rebuild')"
      openwo edit -q -- sqlite3 {} "ALTER TABLE entry ADD COLUMN tag DEFAULT 'd'; INSERT INTO entry(id, text) VALUES (3, 'three')"
      """)
    return stage
  }

  @Test func `the history of a row has times, devices and values`() throws {
    try stage().expect(
      """
      $ openwo history --row entry 2
      version       when              device  row 2 of entry
      <version--1>  YYYY-MM-DD hh:mm  laptop  removed: id 2, text 'two', edits 0
      <version--2>  YYYY-MM-DD hh:mm  laptop  added: id 2, text 'two', edits 0
      to undo the last change: openwo restore <version--3> --row entry 2
      $ openwo history --row entry 1 diary.db | tail -n +3 | head -1
      <version--3>  YYYY-MM-DD hh:mm  laptop  changed: text 'one' → 'eins', edits 0 → 1
      $ openwo history --row part 2 b --limit 1 | head -2 | tail -1
      <version--1>  YYYY-MM-DD hh:mm  laptop  removed: entry 2, name 'b'
      $ openwo history diary.db --row note 1 | head -2 | tail -1
      <version--1>  YYYY-MM-DD hh:mm  laptop  changed: t 'n' → 'm'
      $ openwo history --row entry 99
      no version that is here has row 99 of entry
      $ openwo history --row part 1
      ! openwo: error: no version has a table part whose rows have a key of one word
      ! openwo: hint: see the tables: openwo query 'SELECT name, sql FROM sqlite_schema'
      [64]
      $ openwo history --row entry
      ! openwo: error: --row needs a table and the key of a row
      ! openwo: hint: see how it is called: openwo help history
      [64]
      """)
    let report = try stage().json("openwo history --row entry 1 --json")
    let changes = try #require(report["changes"] as? [[String: Any]])
    #expect(changes.compactMap { $0["kind"] as? String } == ["updated", "updated", "inserted"])
    #expect(changes.allSatisfy { $0["deviceName"] as? String == "laptop" })
  }

  @Test func `a row comes back as it was, without what triggers would make of it`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo restore @~3 --row entry 1 --dry-run
      would restore row 1 of entry from version <version--1>: 1 changed
      $ openwo restore diary.db @~3 --row entry 1
      restored row 1 of entry from version <version--1>, as version <version--2>: 1 changed
      undo: openwo restore diary.db <version--3>
      $ sqlite3 diary.db 'SELECT * FROM entry'
      1|one|0|d
      3|three||d
      $ openwo restore <version--1> --row entry 1
      row 1 of entry is as in version <version--1> already
      $ openwo restore <version--1> --row entry 3 -q && sqlite3 diary.db 'SELECT id FROM entry'
      1
      $ sqlite3 diary.db "SELECT rowid FROM found WHERE found MATCH 'one OR three'"
      1
      """)
    #expect(try stage.json("openwo doctor --json")["findings"] != nil)
  }

  @Test func `a row that needs other rows is not restored alone`() throws {
    try stage().expect(
      """
      $ openwo restore @~3 --row part 2 b
      ! openwo: error: table part cannot be brought back from version <version--1>: a row of part would point at a missing row of entry; nothing was written
      ! openwo: hint: see what differs: openwo diff @ <version--1> --rows
      [1]
      $ openwo restore <version--1> --row entry 2 -q && openwo restore <version--1> --row part 2 b -q
      $ sqlite3 diary.db 'SELECT * FROM part'
      1|a
      2|b
      """)
  }

  @Test func `a table comes back whole, and the rest stays`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo restore @~3 --table entry
      restored table entry from version <version--1>, as version <version--2>: 1 added, 1 changed, 1 removed
      undo: openwo restore <version--3>
      $ sqlite3 diary.db 'SELECT * FROM entry; SELECT * FROM part; SELECT * FROM note'
      1|one|0|d
      2|two|0|d
      1|a
      m
      $ openwo restore <version--1> --table note -q && sqlite3 diary.db 'SELECT * FROM note'
      n
      $ openwo history --limit 1
        version       when              device  reason   size  changes  note
      * <version--4>  YYYY-MM-DD hh:mm  laptop  edit    57 kB  note ~1  note from <version--1>
      $ openwo restore <version--3> -q && sqlite3 diary.db 'SELECT id, text FROM entry'
      1|eins
      3|three
      $ openwo restore @~1 --table nothing
      ! openwo: error: table nothing cannot be brought back from version <version--4>: there is no such table now; nothing was written
      ! openwo: hint: see what differs: openwo diff @ <version--4> --rows
      [1]
      """)
  }

  @Test func `rows that swapped their unique values come back`() throws {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE place(id INTEGER PRIMARY KEY, n UNIQUE); INSERT INTO place VALUES (1, 'a'), (2, 'b')"
      openwo init diary.db
      openwo edit -q -- sqlite3 {} "UPDATE place SET n = 'c' WHERE id = 1; UPDATE place SET n = 'a' WHERE id = 2;
        UPDATE place SET n = 'b' WHERE id = 1"
      openwo restore @~1 --table place
      """)
    #expect(try stage.text("sqlite3 diary.db 'SELECT * FROM place'") == "1|a\n2|b\n")
  }
}
