import Testing

/// The findings of `doctor`, and its advice.
struct DoctorTests {
  @Test func `a store in order is found in order`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       diary.db.openwo can be written
      ok       the database is whole
      ok       no other program has the database open
      ok       the version can be restored
      """)
  }

  @Test func `the other device's head shows that files travel both ways`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    try stage.expect(
      """
      $ openwo doctor | grep phone
      ok       files travel both ways: phone has what this device wrote last
      $ openwo edit -q -- sqlite3 {} 'DELETE FROM session'; openwo doctor | grep -A 1 phone
      note     phone has not yet shown that it has what this device wrote last
               see it happen, with openwo watch there: openwo lock --wait 5m
      $ on phone openwo sync --quiet; openwo doctor | grep phone
      ok       files travel both ways: phone has what this device wrote last
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
      ok       diary.db.openwo can be written
      warning  devices/copy.json is not a device file; it is left alone
               look at it, and remove it if it is a service's copy: ls -laR diary.db.openwo
      warning  locks/phone.json: it is not a lock file; it is left alone
               look at it, and remove it if it is a service's copy: ls -laR diary.db.openwo
      warning  store (1).json is not a file of openwo; it is left alone
               look at it, and remove it if it is a service's copy: ls -laR diary.db.openwo
      warning  diary.sync-conflict-20261120-093011-ABCDEFG.db looks like a conflicted copy: equal
               bring both sides together: openwo sync
      ok       the database is whole
      ok       no other program has the database open
      warning  notes.txt is not a version file
               look at it: ls -l diary.db.openwo/versions/notes.txt
      note     mari on laptop (openwo lock) holds the lock <lock-1> since YYYY-MM-DD hh:mm
               when the edit is finished: openwo unlock
      next: openwo sync
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
      ok       diary.db.openwo can be written
      warning  a version is gone from the folder; this device has kept it
               put it back: openwo sync
      error    diary.db is damaged (it is shorter than a database has to be); the versions before are safe
               put the newest whole version back: openwo sync
      ok       no other program has the database open
      warning  version <version--1> of YYYY-MM-DD hh:mm cannot be restored: a file that it rests on is damaged, or has not arrived
               wait for the service, then: openwo doctor
      next: openwo sync
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
      ok       diary.db.openwo can be written
      warning  diary.db-wal is beside the database: a program has switched the database to WAL mode
               close other programs, then: openwo sync
      warning  diary.db-shm is beside the database: a program has switched the database to WAL mode
               close other programs, then: openwo sync
      warning  the database is in WAL mode, which a synced folder tears apart
               close other programs, then: openwo sync
      note     sqlite3 (pid N) has the database open
               to edit it there, lock it first: openwo lock
      ok       the version can be restored
      next: openwo sync
      """)
  }

  @Test func `a log beside a database that is not in WAL mode is named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; echo old > diary.db-wal")
    try stage.expect(
      """
      $ openwo doctor
      ok       the state folder /stage/state can be written
      ok       diary.db.openwo can be written
      warning  diary.db-wal is beside a database that is not in WAL mode, and other programs would take what it holds for newer than the database
               close other programs, then take it out of the folder: mv diary.db-wal ~
      ok       the database is whole
      ok       no other program has the database open
      ok       the version can be restored
      next: mv diary.db-wal ~
      $ mv diary.db-wal ~; openwo doctor | grep -c warning; ls ~
      0
      diary.db-wal
      """)
  }

  @Test func `empty files left from WAL mode are a note`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync; touch diary.db-wal diary.db-shm")
    try stage.expect(
      """
      $ openwo doctor | grep -A 1 WAL
      note     diary.db-wal is left from WAL mode and holds nothing
               close other programs, then remove it: rm diary.db-wal
      note     diary.db-shm is left from WAL mode and holds nothing
               close other programs, then remove it: rm diary.db-shm
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
      error    the state folder ./state is in the synced folder, where other devices write over it
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

  /// The possible damage of a database under a lock, and how doctor and status name it.
  private static let harms = [
    ("rm diary.db", "is missing"), ("echo hello > diary.db", "is damaged"),
    ("head -c 6000 diary.db > torn; mv torn diary.db", "is damaged"),
    (
      "dd if=/dev/urandom of=diary.db bs=4096 seek=1 count=1 conv=notrunc status=none", "is damaged"
    ),
    ("rm diary.db; mkdir diary.db", "cannot be read"),
  ]

  @Test(arguments: harms)
  func `a lock does not hide what became of the database`(harm: String, words: String) throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo lock -q; \(harm)")
    let doctor = try stage.run("openwo doctor")
    #expect(doctor.status == 1)
    let finding = doctor.text.split(separator: "\n").filter { $0.hasPrefix("error") }
    #expect(finding.count == 1 && finding[0].contains(words), "\(doctor.text)")
    let status = try stage.text("openwo status")
    #expect(status.contains(words), "\(status)")
    #expect(status.hasSuffix("next: openwo unlock --discard\n"), "\(status)")
    try stage.text(
      "rmdir diary.db 2>&-; openwo unlock --discard; openwo status --check; openwo doctor")
  }

  @Test func `a whole database is checked under a lock, its own and another one's`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; on phone openwo sync -q; openwo lock -q")
    try stage.text("sqlite3 diary.db 'DELETE FROM session'; touch diary.db-wal")
    for call in ["", "on phone "] {
      let found = try stage.text("\(call)openwo doctor")
      #expect(found.contains("ok       the database is whole"), "\(found)")
      #expect(!found.contains("WAL mode\n"), "\(found)")
    }
    try stage.text("rm diary.db-wal diary.db; test ! -e diary.db")
    let found = try stage.run("on phone openwo doctor")
    #expect(found.status == 1)
    #expect(found.text.contains("on laptop (openwo lock) has it locked"))
    #expect(try stage.text("on phone openwo status").contains("is missing while"))
    try stage.text("openwo unlock --discard -q; openwo status --check")
  }
}
