import Testing

/// What `doctor` finds, and what it says to do.
struct DoctorTests {
  @Test func `a store in order is found in order`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       /stage/Training/diary.db.openwo can be written
      error    /stage/Training/diary.db is damaged (database disk image is malformed); the versions before are safe
               put the newest whole version back: openwo sync /stage/Training/diary.db
      ok       no other program has the database open
      ok       all 0 versions can be restored
      [1]
      """)
  }

  @Test func `strange files, locks and copies are named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init diary.db; openwo lock
      cd diary.db.openwo; touch 'store (1).json' locks/phone.json devices/copy.json versions/notes.txt
      cp ../diary.db '../diary.sync-conflict-20261120-093011-ABCDEFG.db'
      """)
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       /stage/Training/diary.db.openwo can be written
      error    /stage/Training/diary.db is damaged (database disk image is malformed); the versions before are safe
               put the newest whole version back: openwo sync /stage/Training/diary.db
      ok       no other program has the database open
      ok       all 0 versions can be restored
      [1]
      """)
  }

  @Test func `a torn database, a lost version and a WAL are named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'
      rm diary.db.openwo/versions/*-*.full; head -c 5000 diary.db > torn; mv torn diary.db
      """)
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       /stage/Training/diary.db.openwo can be written
      error    /stage/Training/diary.db is damaged (database disk image is malformed); the versions before are safe
               put the newest whole version back: openwo sync /stage/Training/diary.db
      ok       no other program has the database open
      ok       all 0 versions can be restored
      [1]
      """)
  }

  @Test func `an editor that has the database open is named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    let editor = try SQLiteShell("diary.db", in: stage)
    try editor.run("PRAGMA journal_mode = WAL; INSERT INTO exercise(name) VALUES('Row');")
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       /stage/Training/diary.db.openwo can be written
      error    /stage/Training/diary.db is damaged (database disk image is malformed); the versions before are safe
               put the newest whole version back: openwo sync /stage/Training/diary.db
      ok       no other program has the database open
      ok       all 0 versions can be restored
      [1]
      """)
  }

  @Test func `a state folder that does not fit is named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; touch ../file")
    try stage.expect(
      """
      $ openwo doctor --state-dir ../file/state
      error    the state folder ../file/state cannot be written: cannot make the folder ../file/state: not a directory
               name another one: export OPENWO_STATE_DIR=…
      [1]
      $ openwo doctor --state-dir ./state
      error    the state folder ./state stands in the synced folder, where other devices write over it
               name one outside: export OPENWO_STATE_DIR=…
      [1]
      """)
  }

  @Test func `a clock that is ahead is named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    let later = "s/\"lastSeen\" : \"20[0-9]*/\"lastSeen\" : \"2099/"
    try stage.text("sed -i '\(later)' diary.db.openwo/devices/*.json")
    #expect(try stage.text("openwo doctor").contains("the clock of phone is "))
  }
}
