import Testing

/// Undoing what this device did last, and unknown verbs.
struct UndoTests {
  @Test func `undo takes back the last change, and an undo takes back that`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    try stage.expect(
      """
      $ openwo undo --dry-run
      would take back version <version--1> of diary.db (edit, just now)
      $ openwo undo
      took back version <version--1> of diary.db (edit, just now): restored version <version--2>, as version <version--3>
      undo: openwo undo
      $ sqlite3 diary.db "SELECT count(*) FROM session"
      1
      $ openwo undo -q; sqlite3 diary.db "SELECT count(*) FROM session"
      0
      """)
  }

  @Test func `undo takes back what a program wrote without a lock, and keeps it`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      "openwo init -q diary.db; sqlite3 diary.db 'DELETE FROM session'; openwo undo -q")
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM session'") == "1\n")
    #expect(try stage.text("openwo history | grep -c ' external '") == "1\n")
  }

  @Test func `undo leaves alone what is not this device's, and a first version`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; on phone openwo sync -q")
    try stage.expect(
      """
      $ openwo undo
      ! openwo: error: version <version--1> of diary.db is the first one that is kept; nothing was changed
      ! openwo: hint: see all versions: openwo history
      [1]
      $ on phone openwo undo
      ! openwo: error: the newest version of diary.db, <version--1>, is not this device's but of laptop; nothing was changed
      ! openwo: hint: choose a version to go back to: openwo history
      [1]
      $ openwo edit -q -- sqlite3 {} 'DELETE FROM session'; on phone openwo lock -q
      $ openwo undo 2>&-
      [11]
      """)
  }

  @Test func `undo takes back a merge, and another one takes back that`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init -q diary.db; on phone openwo sync -q
      f=diary.sync-conflict-20261120-093011-ABCDEFG.db; cp diary.db $f
      sqlite3 $f "INSERT INTO exercise(name) VALUES('Row')"; sqlite3 diary.db 'DELETE FROM session'
      openwo merge -q
      """)
    let count = "sqlite3 diary.db 'SELECT (SELECT count(*) FROM session), count(*) FROM exercise'"
    try stage.expect(
      """
      $ \(count)
      0|3
      $ openwo undo --dry-run
      would take back version <version--1> of diary.db (merge, just now)
      $ openwo undo
      took back version <version--1> of diary.db (merge, just now): restored version <version--2>, as version <version--3>
      undo: openwo undo
      $ \(count)
      0|2
      $ openwo undo -q; \(count)
      0|3
      $ on phone openwo sync -q; on phone openwo undo 2>&1 | grep -o 'is not this device.*'
      is not this device's but of laptop; nothing was changed
      """)
  }

  @Test func `undo says so if the newest version settled a conflict`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init -q diary.db; f=diary.sync-conflict-20261120-093011-ABCDEFG.db; cp diary.db $f
      sqlite3 $f "INSERT INTO exercise(name) VALUES('Row')"; sqlite3 diary.db 'DELETE FROM session'
      openwo sync -q
      """)
    try stage.expect(
      """
      $ openwo undo
      ! openwo: error: the newest version of diary.db, <version--1>, settled a conflict, in which the later writer won; nothing was changed
      ! openwo: hint: choose a version to go back to: openwo history
      [1]
      """)
  }

  @Test func `history lists as many versions as are asked for, from a time on`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    try stage.expect(
      """
      $ openwo history -n 1 | wc -l
      2
      $ openwo history --since 'an hour ago' | wc -l
      3
      $ openwo history --since "$(openwo history | awk '$1 == "*" { print $3 " " $4 }')" | grep -c edit
      1
      $ openwo history --since 2100-01-01 | wc -l
      1
      $ openwo history --since soon
      ! openwo: error: --since soon is no time
      ! openwo: hint: name one as history prints it, or: openwo history --since '2 weeks ago'
      [64]
      """)
  }

  @Test func `64: an unknown verb leads to the verb that may be meant`() throws {
    try Stage().expect(
      """
      $ openwo hisotry
      ! openwo: error: there is no verb hisotry
      ! openwo: hint: did you mean: openwo history
      [64]
      $ openwo log -n 3
      ! openwo: error: there is no verb log
      ! openwo: hint: did you mean: openwo history
      [64]
      $ openwo diary.db
      ! openwo: error: there is no verb diary.db
      ! openwo: hint: see all verbs: openwo help
      [64]
      $ openwo help exit-codes
      ! openwo: error: there is no help on exit-codes
      ! openwo: hint: see all verbs: openwo help
      [64]
      $ openwo help resto
      ! openwo: error: there is no help on resto
      ! openwo: hint: did you mean: openwo help restore
      [64]
      """)
  }
}
