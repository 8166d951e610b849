import Testing

/// States that editors leave behind: open transactions, WAL, broken rows, other tables, other
/// files.
struct EditorTests {
  @Test func `12: an editor with unsaved changes prevents the unlock`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock; cp -p diary.db ../before.db")
    let editor = try SQLiteShell("diary.db", in: stage)
    try editor.run("BEGIN IMMEDIATE; DELETE FROM session;")
    try stage.expect(
      """
      $ openwo unlock
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed; the lock and the edit are kept
      ! openwo: hint: save or close it there, then: openwo unlock
      [12]
      $ openwo unlock --discard
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed; the lock and the edit are kept
      ! openwo: hint: save or close it there, then: openwo unlock
      [12]
      $ openwo unlock --dry-run
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed; the lock and the edit are kept
      ! openwo: hint: save or close it there, then: openwo unlock
      [12]
      $ openwo status --check
      diary.db is locked for editing on this device by mari (openwo lock)
        since       hh:mm (just now)
        lock        <lock-1>
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo unlock
      [3]
      $ cmp diary.db ../before.db
      """)
    try editor.run("COMMIT;")
    try stage.expect(
      """
      $ openwo unlock
      unlocked diary.db: the edit is version <version--2>
        session  1 removed
      undo: openwo restore <version--1>
      ! openwo: sqlite3 (pid N) still has diary.db open; what it saves from now on becomes a version of its own
      """)
    try editor.close()
  }

  @Test func `12: an editor in a transaction prevents the lock`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; cp -p diary.db ../before.db")
    let editor = try SQLiteShell("diary.db", in: stage)
    try editor.run("BEGIN EXCLUSIVE; DELETE FROM session;")
    try stage.expect(
      """
      $ openwo lock
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed
      ! openwo: hint: save or close it there, then look: openwo status
      [12]
      $ openwo lock --dry-run
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed
      ! openwo: hint: save or close it there, then look: openwo status
      [12]
      $ openwo restore @
      ! openwo: error: sqlite3 (pid N) uses diary.db and keeps it locked; nothing was changed
      ! openwo: hint: save or close it there, then look: openwo status
      [12]
      $ openwo status
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      $ ls diary.db.openwo/locks
      $ cmp diary.db ../before.db
      """)
    try editor.run("ROLLBACK;")
    try editor.close()
    try stage.text("openwo lock; openwo unlock; openwo status --check")
  }

  @Test func `rows that an editor left in a WAL are not lost`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock")
    // As DB Browser does when it is killed: nobody has folded the log back.
    try stage.run(
      """
      sqlite3 diary.db "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
        INSERT INTO exercise(name) VALUES('Row')" ".shell kill -9 \\$PPID"
      """)
    try stage.expect(
      """
      $ ls
      diary.db
      diary.db-shm
      diary.db-wal
      diary.db.openwo
      $ openwo unlock --dry-run
      would unlock diary.db and bring it back from WAL mode to a single file
      $ openwo unlock
      unlocked diary.db: the edit is version <version--1>
        exercise  1 added
      the database was in WAL mode; it is a single file again, no row was lost
      undo: openwo restore <version--2>
      $ ls
      diary.db
      diary.db.openwo
      $ sqlite3 diary.db "SELECT name FROM exercise; PRAGMA journal_mode"
      Squat
      Press
      Row
      delete
      """)
  }

  @Test func `a database in WAL mode becomes a store with all its rows`() throws {
    let stage = try MainJobTests.stage()
    try stage.run(
      """
      sqlite3 diary.db "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
        INSERT INTO exercise(name) VALUES('Row')" ".shell kill -9 \\$PPID"
      """)
    try stage.expect(
      """
      $ openwo init --dry-run diary.db
      would make a store of diary.db
      $ ls
      diary.db
      diary.db-shm
      diary.db-wal
      $ openwo init diary.db
      openwo now keeps diary.db; first version <version--1>
        device    laptop
        versions  diary.db.openwo, for your service to sync too
      the database was in WAL mode; it is a single file again, no row was lost
      next: openwo edit diary.db -- sqlite3
      $ ls
      diary.db
      diary.db.openwo
      $ sqlite3 diary.db "SELECT count(*) FROM exercise"
      3
      """)
  }

  @Test func `an edit with broken references is not kept`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock")
    try stage.text("sqlite3 diary.db 'DELETE FROM exercise WHERE id = 1'")
    try stage.expect(
      """
      $ openwo unlock --dry-run
      ! openwo: error: the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
      ! openwo: hint: mend it: openwo edit -- sqlite3
      ! openwo: hint: or go back: openwo unlock --discard
      [1]
      $ openwo unlock
      ! openwo: error: the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
      ! openwo: hint: mend it: openwo edit -- sqlite3
      ! openwo: hint: or go back: openwo unlock --discard
      [1]
      $ openwo history
        version       when              device  reason   size  changes  note
      * <version--1>  YYYY-MM-DD hh:mm  laptop  create  12 kB
      $ sqlite3 diary.db "UPDATE session SET exercise = 2"
      $ openwo unlock
      unlocked diary.db: the edit is version <version--2>
        exercise  1 removed
        session   1 changed
      undo: openwo restore <version--1>
      """)
  }

  @Test func `references that were already broken do not block an edit`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE k(k PRIMARY KEY, e REFERENCES exercise) WITHOUT ROWID;
        INSERT INTO session VALUES(9, 99); INSERT INTO k VALUES(1, 99), (2, 99)"
      openwo init diary.db
      """)
    try stage.expect(
      """
      $ openwo lock -q; sqlite3 diary.db "UPDATE session SET exercise = 98 WHERE id = 9"
      $ openwo unlock
      unlocked diary.db: the edit is version <version--1>
        session  1 changed
      undo: openwo restore <version--2>
      $ openwo lock -q; sqlite3 diary.db "INSERT INTO session VALUES(10, 99)"
      $ openwo unlock
      ! openwo: error: the edit left row 10 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
      ! openwo: hint: mend it: openwo edit -- sqlite3
      ! openwo: hint: or go back: openwo unlock --discard
      [1]
      $ openwo unlock --discard --dry-run
      would unlock diary.db and discard these changes
        session  1 added
      """)
  }

  @Test func `edit gives its program the path, wherever the program wants it`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo edit -q -- sqlite3 diary.db "SELECT count(*) FROM session"
      1
      $ openwo edit -q -- sqlite3 ../Training/diary.db "SELECT count(*) FROM session"
      1
      $ openwo edit -q -- sqlite3 {} "SELECT count(*) FROM session"
      1
      $ openwo edit -q -- echo 'SELECT 1'
      SELECT 1 /stage/Training/diary.db
      """)
  }

  @Test func `edit leaves the lock to the person when the edit cannot be kept`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo edit -- sqlite3 {} "DELETE FROM exercise WHERE id = 1"
      ! openwo: error: the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
      ! openwo: hint: mend it: openwo edit -- sqlite3
      ! openwo: hint: or go back: openwo unlock --discard
      [1]
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo edit sqlite3)
        since       hh:mm (just now)
        lock        <lock-1>
        database    the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo edit -- sqlite3
      $ openwo unlock --discard
      unlocked diary.db: the edit was discarded; it is kept as version <version--2>
      undo: openwo restore <version--2>
      """)
  }

  @Test func `a changed schema is reported`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock")
    try stage.text("sqlite3 diary.db 'ALTER TABLE exercise ADD COLUMN color TEXT'")
    try stage.expect(
      """
      $ openwo unlock
      unlocked diary.db: the edit is version <version--1>
      the layout of its tables was changed; the app may not know it
      undo: openwo restore <version--2>
      """)
  }

  @Test func `an editor that saves by renaming is followed`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock")
    try stage.text(
      "cp diary.db new; sqlite3 new \"UPDATE exercise SET name = 'Row'\"; mv new diary.db")
    try stage.expect(
      """
      $ openwo unlock
      unlocked diary.db: the edit is version <version--1>
        exercise  2 changed
      undo: openwo restore <version--2>
      $ sqlite3 diary.db "SELECT DISTINCT name FROM exercise"
      Row
      """)
  }

  @Test(arguments: [
    "head -c 6000 diary.db > torn; mv torn diary.db", "echo hello > diary.db", ": > diary.db",
    "dd if=/dev/urandom of=diary.db bs=4096 seek=1 count=1 conv=notrunc status=none",
    "rm diary.db",
  ])
  func `20: a file that an editor ruined is put back`(harm: String) throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock; cp diary.db ../before.db")
    try stage.text(harm)
    let refused = try stage.run("openwo unlock")
    #expect(refused.status == 20)
    #expect(refused.remarkText.contains("openwo unlock --discard"), "\(refused.remarkText)")
    let discarded = try stage.run("openwo unlock --discard")
    #expect(discarded.status == 0, "\(discarded.remarkText)")
    try stage.text("cmp diary.db ../before.db; openwo status --check")
  }
}
