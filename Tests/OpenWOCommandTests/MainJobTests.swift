import Testing

/// The main job as a person sees it: make a store, lock, edit with any program, unlock, look back.
struct MainJobTests {
  /// Two exercises in a diary, as an app would have left them.
  static func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE session(id INTEGER PRIMARY KEY, exercise REFERENCES exercise);
        INSERT INTO exercise(name) VALUES('Squat'), ('Press'); INSERT INTO session VALUES(1, 1)"
      """)
    return stage
  }

  @Test func `a database is edited under a lock, and restored`() throws {
    try Self.stage().expect(
      """
      $ openwo init diary.db
      openwo now keeps diary.db; first version <version--1>
        device    laptop
        versions  diary.db.openwo, for your service to sync too
      next: openwo edit diary.db -- sqlite3
      $ openwo status
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      $ openwo lock --note 'fixing names' --for 30h
      locked diary.db, until YYYY-MM-DD hh:mm
        open       /stage/Training/diary.db
        when done  openwo unlock
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo lock)
        since       hh:mm (just now)
        until       YYYY-MM-DD hh:mm
        note        fixing names
        lock        <lock-1>
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo unlock
      $ sqlite3 diary.db "UPDATE exercise SET name = 'Back squat' WHERE id = 1"
      $ sqlite3 diary.db "INSERT INTO exercise(name) VALUES('Row'); DELETE FROM session"
      $ openwo unlock --dry-run
      would unlock diary.db and keep these changes
        exercise  1 added, 1 changed
        session   1 removed
      $ openwo unlock
      unlocked diary.db: the edit is version <version--2>
        exercise  1 added, 1 changed
        session   1 removed
      undo: openwo restore <version--1>
      $ openwo history
        version       when              device  reason   size  changes                     note
      * <version--2>  YYYY-MM-DD hh:mm  laptop  edit    12 kB  exercise +1 ~1, session -1  fixing names
        <version--1>  YYYY-MM-DD hh:mm  laptop  create  12 kB
      $ openwo restore <version--1>
      restored version <version--1> of diary.db, as version <version--3>
      undo: openwo restore <version--2>
      $ sqlite3 diary.db "SELECT name FROM exercise"
      Squat
      Press
      $ openwo restore @~1
      restored version <version--2> of diary.db, as version <version--4>
      undo: openwo restore <version--3>
      $ sqlite3 diary.db "SELECT name FROM exercise"
      Back squat
      Press
      Row
      $ openwo history --limit 2
        version       when              device  reason    size  changes                     note
      * <version--4>  YYYY-MM-DD hh:mm  laptop  restore  12 kB  exercise +1 ~1, session -1  <version--2>
        <version--3>  YYYY-MM-DD hh:mm  laptop  restore  12 kB  exercise ~1 -1, session +1  <version--1>
      """)
  }

  @Test func `an edit is discarded, and even that can be undone`() throws {
    try Self.stage().expect(
      """
      $ openwo init diary.db --quiet
      $ openwo lock --quiet
      $ sqlite3 diary.db "DELETE FROM exercise"
      $ openwo unlock --discard --dry-run
      would unlock diary.db and discard these changes
        exercise  2 removed
      $ openwo unlock --discard
      unlocked diary.db: the edit was discarded; it is kept as version <version--1>
      undo: openwo restore <version--1>
      $ sqlite3 diary.db "SELECT count(*) FROM exercise"
      2
      $ openwo status
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--2>
      $ openwo restore <version--1>
      restored version <version--1> of diary.db, as version <version--3>
      undo: openwo restore <version--2>
      $ sqlite3 diary.db "SELECT count(*) FROM exercise"
      0
      """)
  }

  @Test func `a lock without an edit leaves no trace`() throws {
    let stage = try Self.stage()
    try stage.text("openwo init diary.db; cp -p diary.db ../before.db")
    try stage.expect(
      """
      $ openwo lock --dry-run
      would lock diary.db
      $ openwo lock
      locked diary.db
        open       /stage/Training/diary.db
        when done  openwo unlock
      $ openwo unlock
      unlocked diary.db: no changes
      $ openwo unlock --discard
      ! openwo: error: diary.db is not locked
      ! openwo: hint: see its state: openwo status
      [13]
      $ openwo edit -- true
      ! unlocked diary.db: no changes
      $ openwo history
        version       when              device  reason   size  changes  note
      * <version--1>  YYYY-MM-DD hh:mm  laptop  create  12 kB
      $ cmp diary.db ../before.db
      $ stat -c %y diary.db | diff - <(stat -c %y ../before.db)
      $ ls -A; ls diary.db.openwo/locks
      diary.db
      diary.db.openwo
      """)
  }

  @Test func `edit runs a program on the database and keeps what it did`() throws {
    try Self.stage().expect(
      """
      $ openwo init diary.db --quiet
      $ openwo edit --dry-run -- sqlite3
      would lock diary.db
      $ openwo edit --note 'new template' -- sqlite3 {} "INSERT INTO exercise(name) VALUES('Row')"
      ! unlocked diary.db: the edit is version <version--1>
      !   exercise  1 added
      ! undo: openwo restore <version--2>
      $ echo "SELECT count(*) FROM exercise" | openwo edit -- sqlite3
      3
      ! unlocked diary.db: no changes
      $ openwo edit diary.db -- sh -c 'echo "$1"; exit 7' sh --file={}
      --file=/stage/Training/diary.db
      ! openwo: sh ended with 7
      ! unlocked diary.db: no changes
      [7]
      $ openwo edit -- sh -c 'sqlite3 "$1" "DELETE FROM exercise"; exit 7' sh
      ! openwo: sh ended with 7
      ! openwo: error: the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
      ! openwo: hint: mend it: openwo edit -- sqlite3
      ! openwo: hint: or go back: openwo unlock --discard
      [1]
      $ openwo edit -- openwo-no-such-program
      ! openwo: uses the lock <lock-1> of this device
      ! openwo: error: cannot run openwo-no-such-program: no such program is found by PATH; nothing was edited
      ! openwo: hint: is it installed? command -v openwo-no-such-program
      [127]
      $ openwo edit
      ! openwo: error: edit needs a program after --
      ! openwo: hint: name one: openwo edit -- sqlite3
      [64]
      $ openwo status
      diary.db is locked for editing on this device by mari (openwo edit sh)
        since       hh:mm (just now)
        lock        <lock-1>
        database    the edit left row 1 of session pointing at a missing row of exercise; the lock is kept, nothing was captured
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo edit -- sqlite3
      $ openwo history
        version       when              device  reason   size  changes      note
      * <version--1>  YYYY-MM-DD hh:mm  laptop  edit    12 kB  exercise +1  new template
        <version--2>  YYYY-MM-DD hh:mm  laptop  create  12 kB
      """)
  }

  @Test func `a version is written out without touching the database`() throws {
    let stage = try Self.stage()
    try stage.text("cp diary.db ../before.db; openwo init diary.db")
    try stage.text("openwo edit --quiet -- sqlite3 {} 'DELETE FROM session'")
    try stage.expect(
      """
      $ openwo show @~1 | cmp - ../before.db
      $ openwo show @ | cmp - diary.db
      $ openwo show @~1 -o ../copy.db
      wrote version <version--1> (12 kB) to ../copy.db
      $ cmp ../copy.db ../before.db
      $ openwo show @ --output ../copy.db
      ! openwo: error: ../copy.db is there already; nothing was written
      ! openwo: hint: choose another name; to bring a version back: openwo restore <version--2>
      [64]
      $ openwo show @ -o diary.db
      ! openwo: error: diary.db is there already; nothing was written
      ! openwo: hint: choose another name; to bring a version back: openwo restore <version--2>
      [64]
      $ openwo show @ -o /stage-of-nobody/copy.db
      ! openwo: error: cannot open /stage-of-nobody/copy.db: no such file or directory; nothing was changed
      ! openwo: hint: is the folder there? openwo status
      [22]
      $ openwo show @ --json
      ! {"schema":"openwo/1","error":"usage","message":"the bytes of a database leave no room for --json","hint":"write it to a file: openwo show VERSION -o FILE --json","next":null,"exit":64,"lock":null,"version":null}
      [64]
      $ openwo show bogus
      ! openwo: error: bogus is neither a version nor a time such as '3 days ago' or 'YYYY-MM-DD hh:mm'
      ! openwo: hint: see all versions: openwo history
      [1]
      $ ls -A
      diary.db
      diary.db.openwo
      """)
  }

  @Test func `a new database is made, but not if there are traces of one`() throws {
    try Stage().expect(
      """
      $ openwo init diary.db
      ! openwo: error: there is no database diary.db
      ! openwo: hint: to make an empty one: openwo init --create diary.db
      [10]
      $ openwo init --create --dry-run diary.db
      would make a store of the new, empty database diary.db
      $ openwo init --create --app org.example.diary diary.db
      openwo now keeps diary.db; first version <version--1>
        device    laptop
        versions  diary.db.openwo, for your service to sync too
      next: openwo edit diary.db -- sqlite3
      $ openwo init diary.db
      ! openwo: error: diary.db is a store already; nothing was changed
      ! openwo: hint: just use it: openwo status diary.db
      [10]
      $ openwo init --create diary.db
      ! openwo: error: diary.db is a store already; nothing was changed
      ! openwo: hint: just use it: openwo status diary.db
      [10]
      $ rm diary.db
      $ openwo init --create diary.db
      ! openwo: error: diary.db is a store already; nothing was changed
      ! openwo: hint: just use it: openwo status diary.db
      [10]
      $ openwo status
      diary.db is missing; its versions are safe
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo sync
      $ openwo sync
      put back diary.db as version <version--1>: the database is missing
      diary.db is up to date, version <version--1>
      $ sqlite3 diary.db "PRAGMA integrity_check"
      ok
      $ rm -r diary.db diary.db.openwo
      $ touch .diary.db.icloud
      $ openwo init --create diary.db
      ! openwo: error: .diary.db.icloud shows that there is or was a database diary.db; not making a new one
      ! openwo: hint: wait until the service has delivered everything, then: openwo status diary.db
      [10]
      """)
  }

  @Test func `writes of other programs without a lock are kept too`() throws {
    let stage = try Self.stage()
    try stage.text("openwo init diary.db")
    try stage.text("sqlite3 diary.db \"INSERT INTO exercise(name) VALUES('Row')\"")
    try stage.expect(
      """
      $ openwo status
      diary.db has changes not yet saved as a version
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--1>
      next: openwo sync
      $ openwo status --check --quiet
      [3]
      $ openwo sync --dry-run
      would do this:
        capture diary.db as a version
      $ openwo sync
      captured diary.db as a version
      the change is ready to sync
      diary.db is up to date, version <version--2>
      $ openwo sync
      diary.db is up to date, version <version--2>
      $ openwo status --check --quiet
      $ openwo history
        version       when              device  reason     size  changes      note
      * <version--2>  YYYY-MM-DD hh:mm  laptop  external  12 kB  exercise +1
        <version--1>  YYYY-MM-DD hh:mm  laptop  create    12 kB
      """)
  }

  @Test func `devices and conflicts are told`() throws {
    let stage = try Self.stage()
    try stage.text("openwo init diary.db; openwo lock; cp diary.db 'diary (1).db'; openwo unlock")
    try stage.expect(
      """
      $ openwo devices
        device  id            version       seen
      * laptop  <device---1>  <version--1>  just now
      $ openwo conflicts
      diary (1).db (Google Drive): the same as the database, just now
      $ openwo conflicts --check --quiet
      $ openwo version | sed 's/ 3[.][0-9.]*$/ 3.N/'
      openwo 0.1.0, with SQLite 3.N
      $ openwo --version
      openwo 0.1.0
      """)
  }
}
