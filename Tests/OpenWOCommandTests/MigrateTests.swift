import Foundation
import Testing

/// A database that was on one device only comes into a synced folder, and back.
struct MigrateTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      mkdir ../local && sqlite3 ../local/diary.db "PRAGMA journal_mode = WAL;
        CREATE TABLE entry (id INTEGER PRIMARY KEY, text); INSERT INTO entry VALUES (1, 'local')"
      """)
    return stage
  }

  private func kept(_ stage: Stage) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: stage.root.appending(path: "local").path
    ).sorted()
  }

  @Test func `into an empty folder the file is copied, renamed and kept`() throws {
    let stage = try stage()
    try stage.text("openwo migrate diary.db --from ../local/diary.db --dry-run")
    #expect(try kept(stage) == ["diary.db"])
    let report = try stage.json("openwo migrate diary.db --from ../local/diary.db --json")
    #expect(report["kind"] as? String == "copied")
    #expect((report["tables"] as? [[String: Any]])?.first?["copied"] as? Int == 1)
    #expect(try stage.text("sqlite3 diary.db 'SELECT text FROM entry'") == "local\n")
    #expect(try stage.text("openwo status --check; ls") == stage.text("openwo status; ls"))
    #expect(try kept(stage).count == 1 && kept(stage)[0].hasPrefix("diary.db.migrated-"))
    let name = try kept(stage)[0]
    #expect(try stage.text("sqlite3 ../local/\(name) 'SELECT text FROM entry'") == "local\n")
  }

  @Test func `into a folder with data rows are merged by key`() throws {
    let stage = try stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry (id INTEGER PRIMARY KEY, text);
        INSERT INTO entry VALUES (7, 'synced')" && openwo init diary.db
      """)
    try stage.text("sqlite3 ../local/diary.db 'PRAGMA wal_checkpoint(TRUNCATE)'")
    let report = try stage.json("openwo migrate --from ../local/diary.db --json")
    #expect(report["kind"] as? String == "merged")
    #expect(
      try stage.text("sqlite3 diary.db 'SELECT text FROM entry ORDER BY id'")
        == "local\nsynced\n")
    #expect(try stage.text("openwo history").contains("merge"))
  }

  @Test func `back writes what is live and leaves the folder as it is`() throws {
    let stage = try stage()
    try stage.text("openwo migrate diary.db --from ../local/diary.db")
    let before = try stage.text("find . -type f | sort | xargs sha256sum")
    try stage.text("openwo migrate --back ../local/diary.db && cmp diary.db ../local/diary.db")
    #expect(try stage.text("find . -type f | sort | xargs sha256sum") == before)
    #expect(try stage.run("openwo migrate --back ../local/diary.db").status == 64)
  }

  @Test func `a database that cannot be migrated is refused and not changed`() throws {
    try stage().expect(
      """
      $ openwo migrate diary.db
      ! openwo: error: migrate needs either --from or --back
      ! openwo: hint: see how it is called: openwo help migrate
      [64]
      $ openwo migrate diary.db --from ../local/none.db
      ! openwo: error: there is no database ../local/none.db
      ! openwo: hint: name the file that is on this device: openwo migrate diary.db --from FILE
      [22]
      $ head -c 5000 /dev/urandom > ../bad.db; openwo migrate diary.db --from ../bad.db 2>/dev/null
      [20]
      $ ls
      """)
  }

  @Test func `another file's journal is not replayed`() throws {
    let stage = try stage()
    try stage.text(
      #"""
      sqlite3 ../local/plain.db "CREATE TABLE t (id INTEGER PRIMARY KEY, v);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO t SELECT i, hex(zeroblob(40)) FROM n"
      printf '\331\325\005\371\040\241\143\327\0\0\0\0\0\0\0\0\0\0\0\001\0\0\002\0\0\0\020\0' > journal
      truncate -s 512 journal && mv journal ../local/plain.db-journal
      openwo migrate diary.db --from ../local/plain.db
      """#)
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM t'") == "300\n")
    let kept = try stage.text("find ../state -name 'journal-*' | xargs od -An -tx1 -N4")
    #expect(kept == " d9 d5 05 f9\n")
  }
}
