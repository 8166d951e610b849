import Testing

/// `--if-head`: nothing is done to another state than the one that was decided on.
struct IfHeadTests {
  @Test(arguments: [
    "openwo restore $FIRST", "openwo restore $FIRST --table exercise",
    "openwo restore --dry-run $FIRST", "openwo merge other.db", "openwo merge --dry-run other.db",
  ])
  func `14: what was decided on an older version is not done`(command: String) throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; cp diary.db other.db")
    try stage.text("sqlite3 other.db \"UPDATE exercise SET name = 'Bench' WHERE id = 1\"")
    let first = try #require(try stage.json("openwo status --json")["head"] as? String)
    try stage.text("openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    let before = try stage.text("openwo history | wc -l; cksum diary.db")
    let result = try stage.run("FIRST=\(first); \(command) --if-head $FIRST")
    #expect(result.status == 14, "\(result.text) \(result.remarkText)")
    #expect(result.remarkText.contains("by now, and not \(first.prefix(12))"))
    #expect(try stage.text("openwo history | wc -l; cksum diary.db") == before)
    let done = try stage.run("FIRST=\(first); \(command) --if-head @")
    #expect(done.status == 0, "\(done.text) \(done.remarkText)")
  }

  @Test func `a lock is ended only on the version that is named`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'")
    try stage.text("openwo lock; sqlite3 diary.db 'DELETE FROM exercise'")
    #expect(try stage.run("openwo unlock --if-head @~1").status == 14)
    #expect(try stage.run("openwo status --check").status == 3)
    #expect(try stage.run("openwo unlock --if-head @").status == 0)
  }
}
