import Testing

/// Ending the use of openwo for a database.
struct LeaveTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    return stage
  }

  @Test func `the database stays, and so do the versions`() throws {
    let stage = try stage()
    try stage.text("sqlite3 diary.db \"INSERT INTO exercise(name) VALUES('Row')\"")
    let said = try stage.text("openwo leave")
    #expect(said.contains("an ordinary SQLite file"), "\(said)")
    #expect(said.contains("diary.db.openwo, 3 versions, "), "\(said)")
    #expect(
      try stage.text("ls; ls ../state/stores; ls diary.db.openwo/devices") == """
        diary.db
        diary.db.openwo

        """)
    #expect(
      try stage.text("sqlite3 diary.db 'PRAGMA integrity_check; SELECT count(*) FROM exercise'")
        == "ok\n3\n")
    // The printed way back works.
    try stage.text("openwo sync -q")
    #expect(try stage.text("openwo history | wc -l") == "4\n")
  }

  @Test func `the versions go if that is asked for, and nothing that is not openwo's`() throws {
    let stage = try stage()
    try stage.text("touch diary.db.openwo/notes.txt")
    try stage.text("openwo leave --remove-versions -n; openwo history")
    let said = try stage.text("openwo leave --remove-versions")
    #expect(said.contains("notes.txt, which is not openwo's"), "\(said)")
    #expect(
      try stage.text("ls diary.db.openwo; rm -r diary.db.openwo; ls") == "notes.txt\ndiary.db\n")
    // It can begin again.
    try stage.text("openwo init -q diary.db; openwo leave --remove-versions -q")
    #expect(try stage.text("ls") == "diary.db\n")
  }

  @Test func `leave refuses under a lock, and to remove versions that another device uses`() throws
  {
    let stage = try stage()
    try stage.text("openwo lock -q")
    #expect(try stage.run("openwo leave").status == 11)
    try stage.text("openwo unlock -q; on phone openwo sync -q")
    let used = try stage.run("openwo leave --remove-versions")
    #expect(used.status == 1 && used.remarkText.contains("openwo devices --forget"))
    try stage.text(
      """
      f=diary.sync-conflict-20261120-093011-ABCDEFG.db
      cp diary.db $f; sqlite3 $f "INSERT INTO exercise VALUES(7, 'Row')"
      """)
    let unmerged = try stage.run("openwo leave")
    #expect(unmerged.status == 1 && unmerged.remarkText.contains("openwo merge"))
    #expect(try stage.text("openwo history | wc -l") == "3\n")
    try stage.text("openwo merge -q; openwo leave")
  }
}
