import Testing

/// `init` over a database whose store is gone: it says so, and begins another one only if that is asked for.
struct LostStoreTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init -q diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'
      rm -r diary.db.openwo
      """)
    return stage
  }

  @Test(arguments: ["", "--dry-run"])
  func `what this device knows is reported, and nothing is changed`(option: String) throws {
    let stage = try stage()
    let before = try stage.text("cksum < diary.db")
    let result = try stage.run("openwo init \(option) diary.db")
    #expect(result.status == 10)
    let said = result.remarkText
    #expect(said.contains("this device knows a store of "), "\(said)")
    #expect(said.contains("its folder diary.db.openwo is gone"), "\(said)")
    #expect(said.contains("are kept here, the newest from laptop"), "\(said)")
    #expect(try stage.text("ls; cksum < diary.db") == "diary.db\n\(before)")
  }

  @Test func `the printed command brings the store back`() throws {
    let stage = try stage()
    let said = try stage.run("openwo init --json diary.db").remarkText
    let next = try #require(said.firstMatch(of: /"next":"([^"]*)"/)?.1)
    #expect(next.hasPrefix("openwo doctor --repair "))
    try stage.text(String(next))
    #expect(try stage.text("openwo history | grep -c laptop") == "2\n")
  }

  @Test(arguments: ["status", "sync", "doctor", "history"])
  func `a call without a name is about the store that is gone`(verb: String) throws {
    let result = try stage().run("openwo \(verb)")
    let said = result.text + result.remarkText
    #expect(result.status != 0 && said.contains("is away; this device has kept"), "\(said)")
    #expect(said.contains("openwo doctor --repair\n"), "\(said)")
  }

  @Test func `if the database is away, too, that is reported first`() throws {
    let stage = try stage()
    try stage.text("rm diary.db")
    let said = try stage.run("openwo status diary.db").remarkText
    #expect(said.contains("diary.db and diary.db.openwo are both away"), "\(said)")
    #expect(said.contains("neither the drive nor the service"), "\(said)")
  }

  @Test func `a name that is misspelt leads to the store in its folder`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db")
    let result = try stage.run("openwo status dairy.db")
    #expect(result.status == 10)
    #expect(result.remarkText.contains("in its folder is the store diary.db"))
    #expect(result.remarkText.hasSuffix("openwo status diary.db\n"))
  }

  @Test func `a device that does not know a store sees the versions of one without store.json`()
    throws
  {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; rm diary.db.openwo/store.json")
    let said = try stage.run("on phone openwo status").remarkText
    #expect(said.contains("openwo doctor --repair"), "\(said)")
  }

  @Test func `another store is started on request`() throws {
    let stage = try stage()
    #expect(try stage.text("openwo init --new diary.db").hasPrefix("openwo now keeps diary.db"))
    #expect(try stage.text("openwo history | grep -c laptop") == "1\n")
    #expect(try stage.text("openwo status | head -1").contains("is up to date"))
  }

  @Test func `a database that only has the name of a lost one is not part of it`() throws {
    let stage = try stage()
    try stage.text("rm diary.db; sqlite3 diary.db 'CREATE TABLE entry(text)'")
    #expect(try stage.text("openwo init diary.db").hasPrefix("openwo now keeps diary.db"))
    #expect(try stage.text("openwo history | grep -c laptop") == "1\n")
    #expect(try stage.text("openwo status | head -1").contains("is up to date"))
  }

  @Test func `a database that never was a store, or was left, is as before`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo leave -q diary.db; rm -rf diary.db.openwo")
    try stage.text("openwo init -q diary.db")
    try stage.text("sqlite3 other.db 'CREATE TABLE t(a)'; openwo init -q other.db")
  }
}
