import Testing

/// A symbolic link in the synced folder to a database outside: no service would see its versions.
struct LinkTests {
  /// The database is outside, and the working folder has the link.
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("mkdir ../outside; mv diary.db ../outside; ln -s ../outside/diary.db diary.db")
    return stage
  }

  @Test func `init refuses a link out of the folder, and says what to do`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo init --dry-run diary.db
      ! openwo: error: diary.db is a link to /stage/outside/diary.db, and the versions would be kept there, where a service that syncs /stage/Training does not see them; nothing was changed
      ! openwo: hint: move the database itself into the synced folder: mv /stage/outside/diary.db diary.db && openwo init diary.db
      [64]
      $ openwo init ../Training/diary.db
      ! openwo: error: ../Training/diary.db is a link to /stage/outside/diary.db, and the versions would be kept there, where a service that syncs /stage/Training does not see them; nothing was changed
      ! openwo: hint: move the database itself into the synced folder: mv /stage/outside/diary.db ../Training/diary.db && openwo init ../Training/diary.db
      [64]
      $ ls ../outside; ls
      diary.db
      diary.db
      $ openwo doctor diary.db
      ! openwo: error: diary.db is a link to /stage/outside/diary.db, and there is no store of that
      ! openwo: hint: move the database itself into the synced folder: mv /stage/outside/diary.db diary.db && openwo init diary.db
      [10]
      $ mv ../outside/diary.db diary.db && openwo init -q diary.db && openwo status --check | head -1
      diary.db is up to date
      """)
  }

  @Test func `a file in the place of a refused link is distinguished from the link`() throws {
    let stage = try stage()
    try stage.run("openwo init diary.db")
    try stage.text("rm diary.db; sqlite3 diary.db 'CREATE TABLE t(x)'")
    try stage.expect(
      """
      $ openwo status diary.db
      ! openwo: error: there is no store at diary.db, which was a link to /stage/outside/diary.db before; both files are left as they are
      ! openwo: hint: to make a store of what is here now: openwo init diary.db
      [10]
      """)
  }

  @Test func `doctor finds a link to a store, and what became of it`() throws {
    let stage = try stage()
    try stage.text("openwo init -q ../outside/diary.db")
    try stage.expect(
      """
      $ openwo doctor diary.db | grep -A1 link
      warning  /stage/Training/diary.db is a link to /stage/outside/diary.db: a service that syncs /stage/Training does not see /stage/outside/diary.db.openwo
               if that folder is to be synced, make the store there: openwo help init
      $ cp ../outside/diary.db new; mv new diary.db; openwo doctor ../outside/diary.db | grep -A1 link
      warning  /stage/Training/diary.db was a link to /stage/outside/diary.db, and another file is there now, which this store does not know
               to bring its rows in: openwo merge ../outside/diary.db /stage/Training/diary.db
      $ rm diary.db; openwo doctor ../outside/diary.db | grep -c link
      0
      [1]
      """)
  }

  @Test func `a link into a folder that a service syncs is a short way to it`() throws {
    let stage = try stage()
    try stage.text(
      "touch ../outside/.stfolder; openwo init -q diary.db; openwo status --check diary.db")
    #expect(try stage.text("ls ../outside") == "diary.db\ndiary.db.openwo\n")
    #expect(try !stage.text("openwo doctor diary.db").contains("link"))
  }

  @Test func `a link within the folder names the same store`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("ln -s diary.db short.db; openwo init -q short.db; openwo status --check")
    #expect(try stage.text("ls") == "diary.db\ndiary.db.openwo\nshort.db\n")
  }
}
