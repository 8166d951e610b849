import Testing

/// Files beside the database that are named like copies of it, and what is said of them when `sync` has nothing to do.
struct NamesakeTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db -q")
    return stage
  }

  @Test(arguments: [
    "sqlite3 \"$1\" 'CREATE TABLE recipe(id INTEGER PRIMARY KEY, title); INSERT INTO recipe VALUES(1, 2)'",
    "cp diary.db \"$1\"; sqlite3 \"$1\" 'PRAGMA application_id = 7'",
    "seq 1 999 > \"$1\"", "mkdir \"$1\"", "mkfifo \"$1\"",
  ])
  func `an unrelated file with such a name is named once, by doctor`(maker: String) throws {
    let stage = try stage()
    try stage.text("sh -c '\(maker.replacing("'", with: "'\\''"))' sh 'diary 3.db'")
    for _ in 0..<2 {
      try stage.expect(
        """
        $ openwo sync
        diary.db is up to date, version <version--1>
        $ openwo status --check
        diary.db is up to date
          saved here  YYYY-MM-DD hh:mm (just now)
          version     <version--1>
        $ openwo conflicts --check
        no conflicted copies beside diary.db
        $ openwo doctor | grep -c 'diary 3.db is named like a copy of diary.db, but it'
        1
        """)
    }
    #expect(try !stage.text("openwo doctor").contains("warning"))
    try stage.text("test -e 'diary 3.db'")
  }

  @Test func `another database in WAL mode with such a name is not a copy`() throws {
    let stage = try stage()
    try stage.text("sqlite3 'diary 3.db' 'CREATE TABLE recipe(id INTEGER PRIMARY KEY, title)'")
    let program = try SQLiteShell("diary 3.db", in: stage)
    try program.run("PRAGMA journal_mode = WAL; INSERT INTO recipe VALUES(1, 'soup');")
    try stage.expect(
      """
      $ openwo sync
      diary.db is up to date, version <version--1>
      $ openwo status --check | head -1
      diary.db is up to date
      $ openwo doctor | grep 'diary 3.db'
      note     diary 3.db is named like a copy of diary.db, but it has other tables; it is left alone
      """)
    try program.close()
  }

  @Test(arguments: ["diary (1).db", "diary 2.db", "diary copy.db"])
  func `a copy that a person here may have made is left alone and named`(name: String) throws {
    let stage = try stage()
    try stage.text(
      """
      cp diary.db '\(name)'; sqlite3 '\(name)' "INSERT INTO exercise VALUES(9, 'Row')"
      cp '\(name)' ../mine; openwo sync -q; cmp '\(name)' ../mine; openwo status --check -q
      """)
    let count = "sqlite3 diary.db 'SELECT count(*) FROM exercise WHERE id = 9'"
    #expect(try stage.text(count) == "0\n")
    let merge = "to bring in its rows: openwo merge '\(name)'\n"
    #expect(try stage.text("openwo doctor").contains(merge))
    #expect(try stage.text("openwo conflicts").contains(merge))
    try stage.text(String(merge.dropFirst("to bring in its rows: ".count)))
    #expect(try stage.text(count) == "1\n")
  }

  @Test func `a backup whose content is a version is not a conflict`() throws {
    let stage = try stage()
    try stage.text("cp diary.db 'diary 2.db'; openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    try stage.expect(
      """
      $ openwo status --check | head -1
      diary.db is up to date
      $ openwo conflicts --check | sed 's/, just now//'
      diary 2.db (iCloud Drive): an older version
      $ openwo doctor | grep 'diary 2.db'
      note     diary 2.db holds a version that the store has; it is left alone as a backup
      $ openwo conflicts --json | grep -o '"open":\\[\\]'
      "open":[]
      """)
  }

  @Test func `a database beside a damaged copy is not up to date`() throws {
    let stage = try stage()
    let copy = "diary.sync-conflict-20261120-093011-ABCDEFG.db"
    try stage.text(": > \(copy)")
    try stage.expect(
      """
      $ openwo sync
      ! openwo: error: diary.db is in conflict: the copy \(copy) is not whole (it is empty), so nothing was taken from it; all else is safe
      ! openwo: hint: see what can be done: openwo doctor
      [22]
      $ openwo status | grep -v saved
      diary.db is in conflict: the copy \(copy) is not whole (it is empty), so nothing was taken from it; all else is safe
        version     <version--1>
        copy        \(copy)
      next: openwo doctor
      $ openwo doctor | grep -A1 conflicted
      warning  \(copy) looks like a conflicted copy, but it is not whole: it is empty
               if nothing is still bringing it, take it out of the folder: mv \(copy) ~
      $ openwo doctor | tail -1
      next: mv \(copy) ~
      $ openwo leave -n
      ! openwo: error: the copy \(copy) is not whole, so its rows may not be in diary.db; nothing was changed
      ! openwo: hint: see what can be done: openwo doctor
      ! openwo: hint: or leave it behind: openwo leave --even-unmerged
      [1]
      $ sqlite3 diary.db 'DELETE FROM session'; openwo sync 2>&1 | head -1
      captured diary.db as a version
      $ mv \(copy) ~; openwo sync
      diary.db is up to date, version <version--2>
      $ : > \(copy); openwo leave -q
      ! openwo: error: the copy \(copy) is not whole, so its rows may not be in diary.db; nothing was changed
      ! openwo: hint: see what can be done: openwo doctor
      ! openwo: hint: or leave it behind: openwo leave --even-unmerged
      [1]
      $ openwo leave --even-unmerged -q; ls
      diary.db
      diary.db.openwo
      \(copy)
      """)
  }

  @Test func `a torn copy leads to doctor, not to a sync that leaves it`() throws {
    let stage = try stage()
    let copy = "diary.sync-conflict-20261120-093011-ABCDEFG.db"
    try stage.text("head -c 6000 diary.db > \(copy)")
    #expect(try stage.run("openwo sync").status == 22)
    #expect(try stage.text("openwo status").hasSuffix("next: openwo doctor\n"))
    #expect(try stage.text("openwo conflicts").hasSuffix("next: openwo doctor\n"))
    #expect(try stage.run("openwo status --check").status == 3)
    let doctor = try stage.text("openwo doctor")
    #expect(doctor.contains("\(copy) looks like a conflicted copy, but it is not whole: it is cut"))
    try stage.text("test -e \(copy)")
  }
}
