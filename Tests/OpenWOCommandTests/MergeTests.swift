import Foundation
import Testing

/// `openwo merge` and `openwo conflicts show`: two sides become one, row by row.
struct MergeTests {
  /// A diary that was edited here, and in a copy that a service set beside it.
  private func stage(_ options: String = "", copy: String = "diary (conflicted copy).db") throws
    -> Stage
  {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE exercise(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, target INT);
        CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT,
          exercise REFERENCES exercise, day TEXT, note TEXT);
        INSERT INTO exercise(name, target) VALUES('Squat', 5), ('Press', 5), ('Dip', 8);
        INSERT INTO session VALUES(1, 1, 'monday', '')"
      openwo init diary.db \(options); cp diary.db '\(copy)'
      sqlite3 '\(copy)' "INSERT INTO session(exercise, day) VALUES(2, 'tuesday');
        UPDATE exercise SET name = 'Back squat' WHERE id = 1;
        UPDATE session SET note = 'hard' WHERE id = 1"
      touch -d '2026-01-02 03:04' '\(copy)'
      openwo edit -q -- sqlite3 {} "INSERT INTO session(exercise, day) VALUES(1, 'wednesday');
        UPDATE exercise SET target = 8 WHERE id = 1; UPDATE session SET note = 'easy' WHERE id = 1"
      """)
    return stage
  }

  private let rows = """
    sqlite3 diary.db "SELECT e.name, target, day, note FROM session s JOIN exercise e \
    ON e.id = s.exercise ORDER BY s.id"
    """

  @Test(arguments: ["lastWriterWins", "merge"])
  func `a conflicted copy is shown, merged, removed, and the merge undone`(policy: String) throws {
    try stage("--policy \(policy)").expect(
      """
      $ openwo conflicts show
      from diary.db to diary (conflicted copy).db:
        exercise  1 changed
          ~ 1: name 'Squat' → 'Back squat', target 8 → 5
        session   2 changed
          ~ 1: note 'easy' → 'hard'
          ~ 2: exercise 1 → 2, day 'wednesday' → 'tuesday'
      to have the rows of both: openwo merge 'diary (conflicted copy).db'
      to settle it as the store does: openwo sync
      $ openwo merge --dry-run
      would merge diary (conflicted copy).db into diary.db:
        exercise  1 from both
        session   1 from here, 1 from there, 1 renumbered, 1 decided by the clock
          row 2 from there is now 3
          note of row 1 is as here, the later writer
      to choose the sides yourself: openwo help merge
      $ openwo history
        version       when              device  reason   size  changes                     note
      * <version--1>  YYYY-MM-DD hh:mm  laptop  edit    16 kB  exercise ~1, session +1 ~1
        <version--2>  YYYY-MM-DD hh:mm  laptop  create  16 kB
      $ openwo merge
      merged diary (conflicted copy).db into diary.db, as version <version--3>
        exercise  1 from both
        session   1 from here, 1 from there, 1 renumbered, 1 decided by the clock
          row 2 from there is now 3
          note of row 1 is as here, the later writer
      undo: openwo restore <version--1>
      $ \(rows)
      Back squat|8|monday|easy
      Back squat|8|wednesday|
      Press|5|tuesday|
      $ ls
      diary.db
      diary.db.openwo
      $ openwo merge
      nothing waits to be merged into diary.db
      $ openwo restore <version--1>
      restored version <version--1> of diary.db, as version <version--4>
      undo: openwo restore <version--3>
      $ \(rows)
      Squat|8|monday|easy
      Squat|8|wednesday|
      """)
  }

  @Test(arguments: ["", "AUTOINCREMENT", "logged"])
  func `a dry run reports what the merge does with uncaptured changes`(how: String) throws {
    let key = how == "logged" ? "" : how
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY \(key), text TEXT);
        CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO tag VALUES(1, 'old');
        INSERT INTO entry VALUES(1, 'one'), (2, 'two')"
      cp diary.db base; openwo init diary.db
      sqlite3 diary.db "UPDATE entry SET text = 'here' WHERE id = 1; INSERT INTO entry VALUES(3, 'h');
        INSERT INTO tag VALUES(2, 'both')"
      mv base 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "UPDATE entry SET text = 'there' WHERE id = 1;
        INSERT INTO entry VALUES(3, 't'); INSERT INTO tag VALUES(3, 'both')"
      touch -d '1 hour ago' 'diary (conflicted copy).db'
      """)
    if how == "logged" {
      let editor = try SQLiteShell("diary.db", in: stage)
      try editor.run("PRAGMA journal_mode = WAL; UPDATE tag SET name = 'new' WHERE id = 1;")
      try stage.text("cp diary.db-wal ../wal; cp diary.db ../db")
      try editor.close()
      try stage.text("mv ../wal diary.db-wal; cat ../db > diary.db")
    }
    let look = "openwo history; find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try stage.text(look)
    let dry = try stage.text("openwo merge --dry-run")
    #expect(try stage.text(look) == before)
    let real = try stage.text("openwo merge")
    let lines = real.split(separator: "\n").dropFirst().dropLast()
    let planned = dry.split(separator: "\n").dropFirst().filter { !$0.hasPrefix("to choose") }
    #expect(planned.elementsEqual(lines))
    #expect(lines.contains { $0.contains("1 renumbered, 1 decided by the clock") })
  }

  @Test func `a rule decides if both sides wrote, for all tables or for one`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo merge --dry-run --policy theirs
      would merge diary (conflicted copy).db into diary.db:
        exercise  1 decided by a rule
          row 1 is as there, by the rule theirs
        session   1 from here, 1 from there, 1 renumbered, 1 decided by a rule
          row 2 from there is now 3
          row 1 is as there, by the rule theirs
      to choose the sides yourself: openwo help merge
      $ openwo merge --policy session=theirs --quiet
      $ \(rows)
      Back squat|8|monday|hard
      Back squat|8|wednesday|
      Press|5|tuesday|
      $ openwo merge --policy nonsense
      ! openwo: error: nonsense is not a policy: there are RULE and TABLE=RULE, with a RULE of cells, newest, ours, theirs, union, singleton
      ! openwo: hint: see how it is called: openwo help merge
      [64]
      $ openwo merge @~1 --policy sesion=ours
      all of version <version--1> is in diary.db already
      """)
  }

  @Test func `a side that lost to the last writer is merged later`() throws {
    let stage = try stage(copy: "diary.sync-conflict-20260102-030400-ABCDEFG.db")
    try stage.text("openwo sync")
    try stage.expect(
      """
      $ openwo conflicts | sed 's/[.]db, .*: exercise/.db, just now: exercise/'
      no conflicted copies beside diary.db
      settled YYYY-MM-DD hh:mm: kept <version--1>, set aside <version--2>
      not merged: <version--2> from the copy diary.sync-conflict-20260102-030400-ABCDEFG.db, just now: exercise 1 changed; session 1 added, 1 changed
      to bring in its rows: openwo merge <version--2>
      to bring one back: openwo restore <version--2>
      $ openwo merge --policy sesion=ours
      ! openwo: error: there is no table sesion; nothing was written
      ! openwo: hint: see what they are called: sqlite3 diary.db .tables
      [64]
      $ openwo merge
      merged version <version--2> into diary.db, as version <version--3>
        exercise  1 from both
        session   1 from here, 1 from there, 1 renumbered, 1 decided by the clock
          row 2 from there is now 3
          note of row 1 is as here, the later writer
      undo: openwo restore <version--4>
      """)
  }

  @Test func `two unrelated databases are merged only on request`() throws {
    let stage = try stage()
    try stage.text("rm *copy*; sqlite3 diary.db .schema | grep -v sqlite_ | sqlite3 ../other.db")
    try stage.text("sqlite3 ../other.db \"INSERT INTO exercise(name) VALUES('Row')\"")
    try stage.text("cp diary.db ../before.db")
    try stage.expect(
      """
      $ openwo merge ../other.db
      ! openwo: error: diary.db and ../other.db have no common ancestor, so what one of them lacks may be deleted there or new here; nothing was written, both are safe
      ! openwo: hint: to keep all rows of both: openwo merge --empty-base ../other.db
      [1]
      $ cmp diary.db ../before.db
      $ openwo history | wc -l
      3
      $ openwo merge --empty-base diary.db ../other.db --json | grep -o '"fromTheirs":1'
      "fromTheirs":1
      $ sqlite3 diary.db "SELECT count(*), sum(name = 'Row') FROM exercise"
      4|1
      """)
  }

  @Test func `a merge that is refused names the table and writes nothing`() throws {
    let stage = try stage()
    try stage.text("sqlite3 diary*copy*.db 'ALTER TABLE session ADD COLUMN mood TEXT'")
    try stage.text("openwo edit -q -- sqlite3 {} 'ALTER TABLE session ADD COLUMN mood INTEGER'")
    try stage.text("cp -p diary.db ../before.db")
    try stage.expect(
      """
      $ openwo merge
      ! openwo: error: diary.db and 'diary (conflicted copy).db' cannot be merged (table session: both sides added the column mood in different ways: as mood INTEGER and as mood TEXT); nothing was written, both are safe
      ! openwo: hint: see what differs: openwo diff @ 'diary (conflicted copy).db' --rows
      [1]
      $ cmp diary.db ../before.db && stat -c %y diary.db | diff - <(stat -c %y ../before.db)
      $ openwo history | wc -l; ls
      4
      diary (conflicted copy).db
      diary.db
      diary.db.openwo
      $ openwo merge --dry-run --json 2>&1 | grep -o '"error":"[a-zA-Z]*"'
      "error":"mergeRefused"
      """)
  }

  @Test func `a merge that an index of one side forbids names the rows of both`() throws {
    let stage = try stage()
    try stage.text(
      """
      sqlite3 diary*copy*.db "CREATE UNIQUE INDEX once ON exercise(lower(name)); \
        INSERT INTO exercise(id, name) VALUES (70, 'Curl')"
      """)
    try stage.text(
      """
      openwo edit -q -- sqlite3 {} "UPDATE exercise SET name = 'CURL' WHERE id = 2"
      """)
    try stage.expect(
      """
      $ openwo merge
      ! openwo: error: diary.db and 'diary (conflicted copy).db' cannot be merged (table exercise, row (2) of diary.db and row (70) of 'diary (conflicted copy).db': the unique index once, which one side made, allows only one of them); nothing was written, both are safe
      ! openwo: hint: change or delete one of the rows, then merge again: openwo edit -- sqlite3
      [1]
      """)
  }

  @Test func `references, keys and places are declared for a store or for one merge`() throws {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE book(id INTEGER PRIMARY KEY, isbn TEXT, shelf INT);
        CREATE TABLE note(id INTEGER PRIMARY KEY, book INT, text TEXT);
        INSERT INTO book VALUES(9, 'z', 9); INSERT INTO note VALUES(9, 9, 'of z')"
      openwo init -q diary.db --policy merge --reference note.book=book.id
      cp diary.db 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "INSERT INTO book VALUES(1, 'a', 1), (2, 'b', 2);
        INSERT INTO note VALUES(1, 2, 'of b')"
      touch -d '2026-01-02 03:04' 'diary (conflicted copy).db'
      openwo edit -q -- sqlite3 {} "INSERT INTO book VALUES(1, 'b', 1);
        INSERT INTO note VALUES(1, 1, 'also of b')"
      """)
    try stage.expect(
      """
      $ openwo merge --key book=isbnn
      ! openwo: error: there is no column book.isbnn; nothing was written
      ! openwo: hint: see what they are called: sqlite3 diary.db .schema
      [64]
      $ openwo merge --reference note=book
      ! openwo: error: note=book is not a reference: it is written TABLE.COLUMN=TABLE.COLUMN; nothing was written
      ! openwo: hint: see how it is called: openwo help merge
      [64]
      $ openwo merge -q --key book=isbn --place book=shelf; echo $?
      0
      $ sqlite3 diary.db "SELECT isbn, shelf, text FROM book LEFT JOIN note ON note.book = book.id ORDER BY isbn, text"
      a|1|
      b|2|also of b
      b|2|of b
      z|9|of z
      """)
  }

  @Test func `the policy of a store is chosen when it is made`() throws {
    let stage = try MainJobTests.stage()
    try stage.expect(
      """
      $ openwo init diary.db --policy merge --policy session=newest,exercise=union
      openwo now keeps diary.db; first version <version--1>
        device    laptop
        versions  diary.db.openwo, for your service to sync too
        policy    merge: what two devices wrote apart is merged row by row
      next: openwo edit diary.db -- sqlite3
      $ grep -A 3 -E '"(policy|rules)"' diary.db.openwo/store.json
        "policy" : "merge",
        "rules" : {
          "exercise" : "union",
          "session" : "newest"
        },
      $ openwo init other.db --policy newest
      ! openwo: error: newest is not a policy: there are lastWriterWins, merge and TABLE=RULE, with a RULE of cells, newest, ours, theirs, union, singleton
      ! openwo: hint: see how it is called: openwo help init
      [64]
      """)
  }
}
