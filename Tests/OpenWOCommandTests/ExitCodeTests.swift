import Testing

/// Every status that scripts rely on, with what a person reads beside it.
struct ExitCodeTests {
  @Test func `10: there is no store here`() throws {
    let stage = try MainJobTests.stage()
    try stage.expect(
      """
      $ openwo status
      ! openwo: error: there is no store in the working folder
      ! openwo: hint: make a store of the database here: openwo init diary.db
      [10]
      $ cp diary.db other.db; openwo status; rm other.db
      ! openwo: error: there is no store in the working folder
      ! openwo: hint: name the database, or make a store of it: openwo init DATABASE
      $ openwo status diary.db
      ! openwo: error: there is no store at diary.db
      ! openwo: hint: to make one of this database: openwo init diary.db
      [10]
      $ openwo status none.db
      ! openwo: error: there is no database none.db, and no store of it
      ! openwo: hint: to make an empty one: openwo init --create none.db
      [10]
      $ openwo history --json diary.db
      ! {"schema":"openwo/1","error":"noStore","message":"there is no store at /stage/Training/diary.db","hint":"to make one of this database: openwo init /stage/Training/diary.db","next":"openwo init /stage/Training/diary.db","exit":10,"lock":null,"version":null}
      [10]
      """)
  }

  @Test func `1: there is no such version`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo restore 0000
      ! openwo: error: no version's id begins with 0000
      ! openwo: hint: see all versions: openwo history
      [1]
      $ openwo restore @~7
      ! openwo: error: the live version of diary.db is the first one; there is none before it
      ! openwo: hint: see all versions: openwo history
      [1]
      $ openwo restore 2001-01-01
      ! openwo: error: nothing was live yet at YYYY-MM-DD hh:mm; the first version is of YYYY-MM-DD hh:mm
      ! openwo: hint: see all versions: openwo history
      [1]
      $ openwo show diary.db 'not a name'
      ! openwo: error: not a name is neither a version nor a time such as '3 days ago' or 'YYYY-MM-DD hh:mm'
      ! openwo: hint: see all versions: openwo history diary.db
      [1]
      """)
  }

  @Test func `64: a damaged file is written out to a new file only`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo recover damaged-5b1f
      ! openwo: error: recover needs a new file to write to; nothing was written
      ! openwo: hint: name one: openwo recover damaged-5b1f -o recovered.sqlite
      [64]
      $ openwo recover diary.db damaged-5b1f -o diary.db
      ! openwo: error: diary.db is there already; nothing was written
      ! openwo: hint: choose another name: openwo recover diary.db damaged-5b1f -o FILE
      [64]
      $ openwo recover damaged-5b1f -o recovered.sqlite
      ! openwo: error: no damaged file called damaged-5b1f is kept here; nothing was written
      ! openwo: hint: see them all: openwo history --all
      [1]
      $ openwo restore
      ! openwo: error: restore needs a VERSION
      ! openwo: hint: choose one: openwo history
      [64]
      $ openwo status --jsn
      ! openwo: error: status has no option --jsn
      ! openwo: hint: did you mean --json? see how it is called: openwo help status
      [64]
      $ openwo sync a b c
      ! openwo: error: 2 words are too many: 'b', 'c'
      ! openwo: hint: see how it is called: openwo help sync
      [64]
      $ openwo export --format xml
      ! openwo: error: --format takes json, csv or sql, and not 'xml'
      ! openwo: hint: see how it is called: openwo help export
      [64]
      $ openwo devices --forget
      ! openwo: error: --forget needs a device
      ! openwo: hint: see how it is called: openwo help devices
      [64]
      """)
  }

  @Test func `11: somebody else holds the lock`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock --note 'fixing names'")
    try stage.expect(
      """
      $ openwo lock
      ! openwo: error: diary.db is locked for editing on this device by mari (openwo lock) since YYYY-MM-DD hh:mm (fixing names); your data is safe, nothing was written
      ! openwo: hint: when the edit is finished: openwo unlock
      [11]
      $ on phone openwo lock
      ! openwo: error: diary.db is locked for editing by mari on laptop (openwo lock) since YYYY-MM-DD hh:mm (fixing names); your data is safe, nothing was written
      ! openwo: hint: it ends when the edit on laptop is finished; to end it from here: openwo unlock --force <lock-1>
      [11]
      $ on phone openwo restore @
      ! openwo: error: diary.db is locked for editing by mari on laptop (openwo lock) since YYYY-MM-DD hh:mm (fixing names); your data is safe, nothing was written
      ! openwo: hint: it ends when the edit on laptop is finished; to end it from here: openwo unlock --force <lock-1>
      [11]
      $ on phone openwo restore --dry-run @
      ! openwo: error: diary.db is locked for editing by mari on laptop (openwo lock) since YYYY-MM-DD hh:mm (fixing names); your data is safe, nothing was written
      ! openwo: hint: it ends when the edit on laptop is finished; to end it from here: openwo unlock --force <lock-1>
      [11]
      $ on phone openwo edit -- true
      ! openwo: error: diary.db is locked for editing by mari on laptop (openwo lock) since YYYY-MM-DD hh:mm (fixing names); your data is safe, nothing was written
      ! openwo: hint: it ends when the edit on laptop is finished; to end it from here: openwo unlock --force <lock-1>
      [11]
      $ on phone openwo lock --dry-run --json
      ! {"schema":"openwo/1","error":"locked","message":"/stage/Training/diary.db is locked for editing by mari on laptop (openwo lock) since YYYY-MM-DDThh:mm:ss.mmmZ (fixing names); your data is safe, nothing was written","hint":"it ends when the edit on laptop is finished; to end it from here: openwo unlock --force <lock-1> /stage/Training/diary.db","next":"openwo unlock --force <lock-1> /stage/Training/diary.db","exit":11,"lock":{"id":"<lock-1>","device":"<device---1>","deviceName":"laptop","user":"root","host":"vm","program":"openwo lock","note":"fixing names","since":"YYYY-MM-DDThh:mm:ss.mmmZ","until":null,"state":"held","acknowledgedBy":[],"waitingFor":[],"newerOn":[]},"version":null}
      [11]
      """)
  }

  @Test func `13: the lock is not yours`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; on phone openwo sync")
    try stage.expect(
      """
      $ openwo unlock
      ! openwo: error: diary.db is not locked
      ! openwo: hint: see its state: openwo status
      [13]
      $ openwo unlock --force 12345678
      ! openwo: error: diary.db is not locked
      ! openwo: hint: see its state: openwo status
      [13]
      $ on phone openwo lock --quiet
      $ openwo unlock
      ! openwo: error: the lock on diary.db belongs to mari on phone (openwo lock), since YYYY-MM-DD hh:mm
      ! openwo: hint: it ends when the edit on phone is finished; to end it from here: openwo unlock --force <lock-1>
      [13]
      """)
  }

  @Test func `20: the file is damaged, or no database`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("echo hello > note.db; touch empty.db; head -c 6000 diary.db > torn.db")
    try stage.text("mkdir folder.db; ln -s diary.db link.db")
    try stage.expect(
      """
      $ openwo init note.db
      ! openwo: error: note.db is not a SQLite database; it was left as it is
      ! openwo: hint: see what it is: file note.db
      [20]
      $ openwo init --dry-run note.db
      ! openwo: error: note.db is not a SQLite database; it was left as it is
      ! openwo: hint: see what it is: file note.db
      [20]
      $ openwo init empty.db
      ! openwo: error: empty.db is empty; nothing was changed
      ! openwo: hint: to make an empty database, remove it and run: openwo init --create empty.db
      [20]
      $ openwo init torn.db
      ! openwo: error: /stage/Training/torn.db is damaged (database disk image is malformed); nothing was changed
      ! openwo: hint: save what can be saved: sqlite3 /stage/Training/torn.db .recover
      [20]
      $ openwo init folder.db
      ! openwo: error: folder.db is not a regular file; nothing was changed
      ! openwo: hint: see what it is: ls -l folder.db
      [20]
      $ ls -A
      diary.db
      empty.db
      folder.db
      link.db
      note.db
      torn.db
      """)
  }

  @Test func `21: a newer openwo wrote it`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.text("sed -i 's/\"format\" : 1/\"format\" : 2/' diary.db.openwo/store.json")
    try stage.expect(
      """
      $ openwo status
      ! openwo: error: the store at diary.db was made by a newer openwo; nothing was changed
      ! openwo: hint: update openwo, then try again: openwo --version
      [21]
      $ openwo doctor
      error    the store at diary.db was made by a newer openwo; nothing was changed
               update openwo, then try again: openwo --version
      next: openwo --version
      [1]
      $ echo '{"format": 3}' > diary.db.openwo/store.json
      $ openwo lock
      ! openwo: error: the store at diary.db was made by a newer openwo; nothing was changed
      ! openwo: hint: update openwo, then try again: openwo --version
      [21]
      """)
  }

  @Test func `22: the folder cannot be used`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    try stage.expect(
      """
      $ openwo status none/diary.db
      ! openwo: error: cannot resolve /stage/Training/none: no such file or directory; nothing was changed
      ! openwo: hint: is the folder away? bring it back, then: openwo sync none/diary.db
      [22]
      $ echo '{' > diary.db.openwo/store.json
      $ openwo status
      ! openwo: error: diary.db.openwo/store.json cannot be read as JSON; nothing was changed
      ! openwo: hint: it may still be on its way; if it stays so: openwo doctor --repair
      [22]
      """)
  }

  @Test func `23: no space is left`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo lock")
    try stage.text(
      "sqlite3 diary.db 'CREATE TABLE big(x); INSERT INTO big VALUES(randomblob(200000))'")
    try stage.expect(
      """
      $ (ulimit -f 8; openwo unlock)
      ! openwo: error: no space is left: cannot write /stage/state/stores/<store>/pending/YYYYMMDDThhmmss.mmm0000Z-<device---1>-<version--1…>.pages: file too large; what was saved before is safe; the lock and the edit are kept
      ! openwo: hint: make room, then: openwo unlock
      [23]
      $ openwo unlock --quiet
      $ openwo status
      diary.db is up to date
        saved here  YYYY-MM-DD hh:mm (just now)
        version     <version--2>
      $ openwo help > /dev/full
      ! openwo: error: cannot write the output: no space is left
      ! openwo: hint: make room, or write it elsewhere: openwo help
      [23]
      $ openwo lock > /dev/full
      ! openwo: error: lock did what it is for, but cannot write the output: no space is left
      ! openwo: hint: see whether all is well: openwo status
      [23]
      $ openwo unlock
      unlocked diary.db: no changes
      """)
    #expect(try stage.text("sqlite3 diary.db 'SELECT length(x) FROM big'") == "200000\n")
  }

  @Test func `64: the words make no sense`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; sqlite3 other.db 'CREATE TABLE t(x)'")
    try stage.text("openwo init other.db")
    try stage.expect(
      """
      $ openwo bogus
      ! openwo: error: there is no verb bogus
      ! openwo: hint: see all verbs: openwo help
      [64]
      $ openwo --json
      ! {"schema":"openwo/1","error":"usage","message":"options alone need a verb","hint":"see all verbs: openwo help","next":"openwo help","exit":64,"lock":null,"version":null}
      [64]
      $ openwo --bogus status
      ! openwo: error: status has no option --bogus
      ! openwo: hint: see how it is called: openwo help status
      [64]
      $ openwo status --bogus
      ! openwo: error: status has no option --bogus
      ! openwo: hint: see how it is called: openwo help status
      [64]
      $ openwo status -x
      ! openwo: error: status has no option -x
      ! openwo: hint: see how it is called: openwo help status
      [64]
      $ openwo status diary.db other.db
      ! openwo: error: 'other.db' is a word too many
      ! openwo: hint: see how it is called: openwo help status
      [64]
      $ openwo status
      ! openwo: error: the working folder holds 2 stores (diary.db, other.db)
      ! openwo: hint: name one: openwo status diary.db
      [64]
      $ openwo restore
      ! openwo: error: the working folder holds 2 stores (diary.db, other.db)
      ! openwo: hint: name one: openwo restore diary.db
      [64]
      $ openwo lock diary.db --for
      ! openwo: error: --for needs a time
      ! openwo: hint: see how it is called: openwo help lock
      [64]
      $ openwo lock diary.db --for soon
      ! openwo: error: 'soon' is not a span of time for --for
      ! openwo: hint: write it like this: openwo lock --for 30s
      [64]
      $ openwo lock diary.db --wait=12
      ! openwo: error: '12' is not a span of time for --wait
      ! openwo: hint: write it like this: openwo lock --wait 30s
      [64]
      $ openwo history diary.db --limit=-1
      ! openwo: error: '-1' is not a number for --limit
      ! openwo: hint: write it like this: openwo history --limit 20
      [64]
      $ openwo status diary.db --json=yes
      ! openwo: error: the option '--json' does not take any value, but 'yes' was specified
      ! openwo: hint: see how it is called: openwo help status
      [64]
      $ OPENWO_JSON=maybe openwo status diary.db
      ! openwo: error: OPENWO_JSON=maybe is neither yes nor no
      ! openwo: hint: set it to 1 or 0: export OPENWO_JSON=1
      [64]
      $ openwo init
      ! openwo: error: init needs a DATABASE
      ! openwo: hint: name the file: openwo init DATABASE
      [64]
      $ openwo init ''
      ! openwo: error: the name of the database is empty
      ! openwo: hint: name it: openwo init DATABASE
      [64]
      $ openwo bogus --json
      ! {"schema":"openwo/1","error":"usage","message":"there is no verb bogus","hint":"see all verbs: openwo help","next":"openwo help","exit":64,"lock":null,"version":null}
      [64]
      """)
  }
}
