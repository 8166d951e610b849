import Foundation
import Testing

/// A file that cannot become a version goes to quarantine, is reported until somebody has looked,
/// and can be recovered as far as possible.
struct QuarantineTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE session(id INTEGER PRIMARY KEY, what TEXT);
        CREATE INDEX session_what ON session(what);
        CREATE TABLE tag(name TEXT PRIMARY KEY, n INT) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          INSERT INTO session SELECT i, 'run ' || i || hex(zeroblob(i % 40)) FROM n;
        INSERT INTO tag SELECT 'tag ' || id, id FROM session WHERE id % 5 = 0"
      openwo init -q diary.db
      """)
    return stage
  }

  /// Commits a row and then overwrites pages with garbage.
  private func ruin(_ stage: Stage, pages: [Int]) throws {
    try stage.text("sqlite3 diary.db \"INSERT INTO session VALUES(5000, 'only here')\"")
    for page in pages {
      try stage.text(
        "head -c 4096 /dev/zero | tr '\\0' R | "
          + "dd of=diary.db bs=4096 seek=\(page) conv=notrunc status=none")
    }
  }

  private func id(_ stage: Stage) throws -> String {
    let kept = try #require(
      stage.json("openwo history --all --json")["quarantined"] as? [[String: Any]])
    #expect(kept.count == 1)
    return try #require(kept.first?["id"] as? String)
  }

  @Test func `sync names the quarantined file and ends with 20, and status names it until seen`()
    throws
  {
    let stage = try stage()
    try ruin(stage, pages: [9])
    let sync = try stage.run("openwo sync")
    #expect(sync.status == 20)
    let status = try stage.json("openwo status --json")
    let kept = try #require((status["quarantined"] as? [[String: Any]])?.first?["id"] as? String)
    #expect(sync.text.contains("kept what was damaged as \(kept)"))
    #expect(sync.text.contains("openwo recover \(kept) -o FILE"))
    #expect(status["state"] as? String == "synced")
    #expect(try stage.text("openwo status").contains(kept))
    #expect(try stage.run("openwo sync").status == 0)
    #expect(try stage.text("openwo doctor").contains("warning  \(kept) holds"))
    #expect(try !stage.text("openwo status").contains(kept))
    #expect(try stage.text("openwo doctor").contains("note     \(kept) holds"))
    #expect(try stage.text("openwo history --all").contains(kept))
    #expect(try !stage.text("openwo history").contains(kept))
  }

  @Test func `an encrypted file is kept, and reported as encrypted`() throws {
    let stage = try stage()
    try stage.text("head -c 40960 /dev/urandom > new && cp new keep && mv new diary.db")
    let sync = try stage.run("openwo sync")
    #expect(sync.status == 20)
    #expect(sync.text.contains("perhaps encrypted"))
    let id = try id(stage)
    try stage.text("cmp keep \"$(find $STAGE/state -name \(id))\"")
    let refused = try stage.run("openwo recover \(id) -o out.db")
    #expect(refused.status == 1)
    #expect(refused.remarkText.contains("perhaps encrypted"))
    #expect(try stage.run("test -e out.db").status != 0)
  }

  @Test func `a file of zeros is kept, too, and reported`() throws {
    let stage = try stage()
    try stage.text("head -c 40960 /dev/zero > new && mv new diary.db")
    let sync = try stage.run("openwo sync")
    #expect(sync.status == 20)
    #expect(sync.text.contains(try id(stage)))
  }

  @Test func `a file made of pages of known versions is not kept`() throws {
    let stage = try stage()
    try stage.text("cp diary.db old && sqlite3 diary.db 'DELETE FROM session' && openwo sync -q")
    try stage.text("head -c 20480 old > new && mv new diary.db")
    let sync = try stage.run("openwo sync")
    #expect(sync.status == 0)
    #expect(sync.text.contains("put back diary.db as version"))
    #expect(try stage.json("openwo status --json")["quarantined"] as? [String] == [])
  }

  @Test(arguments: [[9], [9, 10, 11, 12], [0], [1], [2], [30, 31]])
  func `recover writes as much as the sqlite3 shell's own command`(pages: [Int]) throws {
    let stage = try stage()
    try ruin(stage, pages: pages)
    #expect(try stage.run("openwo sync").status == 20)
    let id = try id(stage)
    try stage.text("openwo recover \(id) -o ours.db")
    #expect(try stage.text("sqlite3 ours.db 'PRAGMA integrity_check'") == "ok\n")
    try stage.text(
      "sqlite3 \"$(find $STAGE/state -name \(id))\" '.recover --ignore-freelist' > sql 2>/dev/null; "
        + "sqlite3 theirs.db < sql 2>/dev/null; true")
    for query in [
      "SELECT count(*) FROM session", "SELECT count(*) FROM tag",
      "SELECT sum(length(what)) FROM session",
    ] {
      let theirs = Int(try stage.run("sqlite3 theirs.db '\(query)'").text.trimmed) ?? 0
      let ours = Int(try stage.run("sqlite3 ours.db '\(query)'").text.trimmed) ?? 0
      #expect(ours >= theirs, "\(query)")
    }
    let lost = "SELECT count(*) FROM lost_and_found"
    let rows = ["ours", "theirs"].map { name in
      ["SELECT count(*) FROM session", lost].reduce(0) { sum, query in
        sum + (Int((try? stage.run("sqlite3 \(name).db '\(query)'").text.trimmed) ?? "") ?? 0)
      }
    }
    #expect(rows[0] >= rows[1], "\(rows)")
  }

  @Test func `rows of a table that SQLite cannot make here are written without its constraints`()
    throws
  {
    let stage = try stage()
    try stage.text(
      """
      sqlite3 diary.db "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET
        sql = 'CREATE TABLE session(id INTEGER PRIMARY KEY, what TEXT CHECK(title_sort(what)))'
        WHERE name = 'session'"
      openwo sync -q
      sqlite3 diary.db "INSERT INTO tag VALUES('late', 1)"
      head -c 4096 /dev/zero | tr '\\0' R | dd of=diary.db bs=4096 seek=9 conv=notrunc status=none
      """)
    #expect(try stage.run("openwo sync").status == 20)
    let report = try stage.json("openwo recover --json -o ours.db")
    #expect((report["notes"] as? [String])?.first?.contains("no such function") == true)
    #expect(
      try stage.text("sqlite3 ours.db \"SELECT id, substr(what, 1, 5) FROM session LIMIT 1\"")
        == "1|run 1\n")
  }

  @Test func `an edit that is damaged does not keep a lock from ending`() throws {
    let stage = try stage()
    try stage.text("openwo lock -q")
    try ruin(stage, pages: [9])
    let refused = try stage.run("openwo unlock")
    #expect(refused.status == 20)
    #expect(refused.remarkText.contains("openwo unlock --discard"))
    #expect(refused.remarkText.contains(try id(stage)))
    let discarded = try stage.text("openwo unlock --discard")
    #expect(discarded.contains("the edit was damaged; it is kept as \(try id(stage))"))
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM session'") == "2000\n")
  }

  @Test func `another command that meets a damaged file names what it kept`() throws {
    let stage = try stage()
    try ruin(stage, pages: [9])
    let restored = try stage.run("openwo restore @")
    #expect(restored.status == 0)
    #expect(restored.remarkText.contains(try id(stage)))
  }

  @Test func `files kept by an earlier openwo are listed and can be read`() throws {
    let stage = try stage()
    try stage.text(
      """
      cd $STAGE/state/stores/*; rmdir quarantine; mkdir aside
      cp $STAGE/Training/diary.db aside/damaged-0123456789abcdef.sqlite
      """)
    #expect(
      try stage.text("openwo history --all").contains("damaged-0123456789abcdef.sqlite"))
    try stage.text("openwo recover damaged-01 -o ours.db")
    #expect(try stage.text("sqlite3 ours.db 'SELECT count(*) FROM session'") == "2000\n")
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
