import Testing

/// Hints that once led nowhere, and the hints now.
struct LedOutTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text(
      "openwo init -q diary.db; openwo edit -q -- sqlite3 {} \"INSERT INTO exercise VALUES(9, 'Row')\""
    )
    return stage
  }

  @Test func `an empty file does not count as an empty database`() throws {
    let stage = try stage()
    for look in ["openwo query 'SELECT count(*) FROM session'", "openwo diff"] {
      let said = try stage.run(": > diary.db; \(look)")
      #expect(said.status == 20 && said.remarkText.contains("is damaged"), "\(said.remarkText)")
    }
  }

  @Test(arguments: ["rm diary.db", ": > diary.db"])
  func `undo restores a missing database, and stops`(cause: String) throws {
    let stage = try stage()
    let said = try stage.run("\(cause); openwo undo")
    #expect(said.status != 0 && said.remarkText.contains("was put back as version"))
    #expect(said.remarkText.hasSuffix("openwo undo\n"), "\(said.remarkText)")
    let count = "sqlite3 diary.db 'SELECT count(*) FROM exercise WHERE id = 9'"
    #expect(try stage.text(count) == "1\n")
    #expect(try stage.text("openwo undo -q; \(count)") == "0\n")
  }

  @Test func `if the only database has no store yet, the command that makes one is printed`() throws
  {
    let stage = try stage()
    let said = try stage.run("mkdir ../new; cp diary.db ../new; cd ../new; openwo status")
    #expect(said.status == 10 && said.remarkText.hasSuffix(": openwo init diary.db\n"))
  }

  @Test func `sync says whose version became live`() throws {
    let stage = try stage()
    let said = try stage.text(
      """
      on phone openwo sync -q; cp -r . ../Phone
      (cd ../Phone; on phone openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(10, 'a')")
      cp -n ../Phone/diary.db.openwo/versions/* diary.db.openwo/versions; openwo sync
      """)
    #expect(said.contains(/updated diary.db to version [0-9a-f]{12} from phone\n/), "\(said)")
  }

  @Test func `a VERSION after the words of a row must come before them`() throws {
    let said = try stage().run("openwo restore --row exercise 9 @")
    #expect(said.status == 64)
    #expect(said.remarkText.hasSuffix("this: openwo restore @~1 --row exercise 7\n"))
  }

  @Test func `a lock of a database that is missing says so`() throws {
    let said = try stage().run("rm diary.db; openwo lock")
    #expect(said.status == 22 && said.remarkText.contains("is missing"), "\(said.remarkText)")
  }

  @Test func `status reports an edit that unlock refuses, and leads back to the editor`() throws {
    let stage = try stage()
    try stage.text(
      """
      openwo edit -q -- sqlite3 {} 'CREATE TABLE tag(n REFERENCES exercise(id));
        INSERT INTO tag VALUES(9)'
      """)
    #expect(
      try stage.run("openwo edit -- sqlite3 {} 'DELETE FROM exercise WHERE id = 9'").status != 0)
    let status = try stage.text("openwo status")
    #expect(status.contains("pointing at a missing row of exercise"), "\(status)")
    #expect(status.hasSuffix("next: openwo edit -- sqlite3\n"), "\(status)")
    #expect(try stage.run("openwo doctor").text.contains("pointing at a missing row"))
    try stage.text("openwo edit -q -- sqlite3 {} 'DELETE FROM tag'")
    #expect(try stage.text("openwo status").contains("is up to date"))
  }

  @Test func `a side without a merge base is reported, and the next command merges it`() throws {
    let stage = try stage()
    try stage.text(
      """
      f=diary.sync-conflict-20261120-093011-ABCDEFG.db; sqlite3 diary.db .dump > ../d.sql
      sed -i "/^INSERT INTO/d" ../d.sql; sqlite3 $f < ../d.sql
      sqlite3 $f "INSERT INTO exercise VALUES(500, 'Their own')"; openwo sync -q
      """)
    let status = try stage.text("openwo status")
    #expect(status.contains("nothing in common"), "\(status)")
    let next = status.split(separator: "\n").last?.dropFirst("next: ".count) ?? ""
    #expect(next.hasPrefix("openwo merge --empty-base "), "\(status)")
    #expect(try stage.text("openwo conflicts").contains(next))
    try stage.text(String(next))
    let count = "sqlite3 diary.db 'SELECT count(*) FROM exercise WHERE id IN (9, 500)'"
    #expect(try stage.text(count) == "2\n")
  }

  @Test func `a merge that was undone names the version that has the rows of both`() throws {
    let stage = try stage()
    try stage.text(
      """
      on phone openwo sync -q; cp -r . ../Phone
      (cd ../Phone; on phone openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(10, 'a')")
      openwo edit -q -- sqlite3 {} "INSERT INTO exercise VALUES(11, 'b')"
      cp -n ../Phone/diary.db.openwo/versions/* diary.db.openwo/versions; openwo sync -q
      openwo status | sed -n 's/^next: //p' > ../merge; sh ../merge; openwo undo -q
      """)
    let said = try stage.run("sh ../merge")
    let hint = "openwo: hint: to have the rows of both again: "
    let line = said.remarkText.split(separator: "\n").first { $0.hasPrefix(hint) }
    try stage.text(String(try #require(line).dropFirst(hint.count)))
    let count = "sqlite3 diary.db \"SELECT count(*) FROM exercise WHERE name IN ('a', 'b')\""
    #expect(try stage.text(count) == "2\n")
  }

  @Test func `another device's lock is ended by the beginning of its id, before the first sync`()
    throws
  {
    let stage = try stage()
    let said = try stage.text(
      """
      openwo lock -q; id=$(openwo status | sed -n 's/^  lock  *//p')
      on phone openwo unlock --force ${id:0:5} --if-head @
      """)
    #expect(said.contains("ended the lock"), "\(said)")
    #expect(said.contains("becomes a version\nnext: openwo sync"), "\(said)")
  }

  @Test func `doctor takes no option that it would not follow`() throws {
    let stage = try stage()
    for words in ["--sample 3", "--repair --restore-all"] {
      #expect(try stage.run("openwo doctor \(words)").status == 64)
    }
  }

  @Test func `files of file managers are ignored`() throws {
    let stage = try stage()
    try stage.text("touch diary.db.openwo/.DS_Store diary.db.openwo/devices/desktop.ini")
    #expect(try !stage.text("openwo doctor").contains("not a"))
  }

  @Test func `a migration says how many rows got another number, and how it is taken back`() throws
  {
    let stage = try stage()
    let said = try stage.text(
      """
      sqlite3 diary.db .schema | sqlite3 ../local.db
      sqlite3 ../local.db "INSERT INTO exercise(id, name) VALUES(9, 'Another')"
      openwo migrate diary.db --from ../local.db
      """)
    #expect(said.contains("1 under another number"), "\(said)")
    let undo = said.split(separator: "\n").last.map { String($0.dropFirst("undo: ".count)) } ?? ""
    try stage.text(undo)
    #expect(try stage.text("sqlite3 diary.db 'SELECT name FROM exercise WHERE id = 9'") == "Row\n")
  }
}
