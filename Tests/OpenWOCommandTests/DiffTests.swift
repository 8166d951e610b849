import Foundation
import Testing

/// `openwo diff`: what changed between any two states.
struct DiffTests {
  /// A diary with one edit behind it.
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.text(
      """
      openwo edit -q -- sqlite3 {} "INSERT INTO exercise(name) VALUES('Row'), ('it''s');
        UPDATE exercise SET name = 'Back squat' WHERE id = 1; DELETE FROM session;
        CREATE INDEX byName ON exercise(name)"
      """)
    return stage
  }

  @Test func `changes are reported by table, and by row on request`() throws {
    try stage().expect(
      """
      $ openwo diff
      version <version--1> and diary.db have the same tables and rows
      $ openwo diff @~1
      from version <version--2> to diary.db:
        index byName  added
        exercise      2 added, 1 changed
        session       1 removed
      $ openwo diff diary.db @~1 @ --rows
      from version <version--2> to version <version--1>:
        index byName  added
        exercise      2 added, 1 changed
          ~ 1: name 'Squat' → 'Back squat'
          + id 3, name 'Row'
          + id 4, name 'it's'
        session       1 removed
          - id 1, exercise 1
      $ openwo diff @ @~1
      from version <version--1> to version <version--2>:
        index byName  removed
        exercise      1 changed, 2 removed
        session       1 added
      $ openwo diff <version--2>
      from version <version--2> to diary.db:
        index byName  added
        exercise      2 added, 1 changed
        session       1 removed
      """)
  }

  @Test func `with --exit-code a difference ends with 3`() throws {
    try stage().expect(
      """
      $ openwo diff --exit-code --quiet
      $ openwo diff --exit-code --quiet @~1
      [3]
      $ openwo diff --quiet @~1
      $ OPENWO_EXIT_CODE=1 openwo diff @~1 @~1
      version <version--1> and version <version--1> have the same tables and rows
      $ openwo diff --exit-code --sql @~1 > ../script.sql
      [3]
      """)
  }

  @Test func `copies and other files are compared by their paths`() throws {
    let stage = try stage()
    try stage.text(
      """
      cp diary.db 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "INSERT INTO exercise(name) VALUES('Dip')"
      sqlite3 ../plain.db "CREATE TABLE log(day, done REAL); INSERT INTO log VALUES('monday', 0.5)"
      cp ../plain.db ../later.db; sqlite3 ../later.db "UPDATE log SET done = 1.0, day = x'0a'"
      """)
    try stage.expect(
      """
      $ openwo diff diary.db 'diary (conflicted copy).db' --rows
      from diary (conflicted copy).db to diary.db:
        exercise  1 removed
          - id 5, name 'Dip'
      $ cd ..; openwo diff Training/diary.db @ 'diary (conflicted copy).db'
      from version <version--1> to diary (conflicted copy).db:
        exercise  1 added
      $ openwo diff ../plain.db ../later.db --rows
      from ../plain.db to ../later.db:
        log  1 changed (by rowid: it declares no key)
          ~ rowid 1: day 'monday' → x'0A', done 0.5 → 1.0
      $ openwo diff ../plain.db ../later.db --rows --json
      {"schema":"openwo/1","command":"diff","database":"/stage/Training/diary.db","equal":false,"from":{"version":null,"path":"../plain.db"},"to":{"version":null,"path":"../later.db"},"schemaChanges":[],"tables":[{"table":"log","keyedBy":"rowid","inserted":0,"updated":1,"deleted":0,"oldColumns":["day","done"],"newColumns":["day","done"],"rows":[{"kind":"updated","key":[1],"old":["monday",0.5],"new":[{"blob":"0A"},1.0]}],"notCompared":null}]}
      $ ls -A
      diary (conflicted copy).db
      diary.db
      diary.db.openwo
      """)
  }

  @Test func `the script turns the first state into the second`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo diff --sql
      $ openwo diff @~1 --sql
      PRAGMA foreign_keys=OFF;
      BEGIN;
      UPDATE "exercise" SET "name"='Back squat' WHERE "id"=1;
      INSERT INTO "exercise"("id", "name") VALUES(3, 'Row');
      INSERT INTO "exercise"("id", "name") VALUES(4, 'it''s');
      DELETE FROM "session" WHERE "id"=1;
      CREATE INDEX byName ON exercise(name);
      COMMIT;
      """)
    try stage.text("openwo show @~1 -o ../old.db; openwo diff @~1 --sql | sqlite3 -bail ../old.db")
    try stage.expect(
      """
      $ openwo diff ../old.db
      ../old.db and diary.db have the same tables and rows
      $ openwo diff ../old.db @~1 --sql | sqlite3 -bail ../old.db
      $ openwo diff ../old.db @~1 --exit-code
      ../old.db and version <version--1> have the same tables and rows
      $ openwo diff --sql --json
      ! {"schema":"openwo/1","error":"usage","message":"a script leaves no room for --json","hint":"ask for the script alone: openwo diff --sql","next":"openwo diff --sql","exit":64,"lock":null,"version":null}
      [64]
      $ openwo diff --sql --rows
      ! openwo: error: a script leaves no room for --rows
      ! openwo: hint: ask for the script alone: openwo diff --sql
      [64]
      """)
  }

  @Test func `a file that is neither a version nor a database is refused`() throws {
    let stage = try stage()
    try stage.text("echo hello > note.txt")
    try stage.expect(
      """
      $ openwo diff bogus
      ! openwo: error: bogus is neither a version nor a time such as '3 days ago' or 'YYYY-MM-DD hh:mm', and no file is called bogus
      ! openwo: hint: see all versions: openwo history
      [1]
      $ openwo diff diary.db @~9
      ! openwo: error: there is only one version before the live one: @~1
      ! openwo: hint: see all versions: openwo history diary.db
      [1]
      $ openwo diff note.txt
      ! openwo: error: note.txt cannot be compared: it is not a database; it was left as it is
      ! openwo: hint: see what it is: file note.txt
      [20]
      $ openwo diff diary.db a b c
      ! openwo: error: 'c' is a word too many
      ! openwo: hint: see how it is called: openwo help diff
      [64]
      """)
  }
}
