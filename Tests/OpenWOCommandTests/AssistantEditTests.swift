import Foundation
import Testing

/// `openwo mcp`: what an assistant changes, and takes back.
struct AssistantEditTests {
  private func assistant() throws -> Assistant {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY, text TEXT NOT NULL, n);
        INSERT INTO entry VALUES (1, 'one', 1.5), (2, 'two', 2.0), (3, 'three', NULL);
        CREATE TABLE part(id INTEGER PRIMARY KEY, entry REFERENCES entry(id) ON DELETE CASCADE);
        INSERT INTO part SELECT value, 1 FROM generate_series(1, 20)"
      openwo init -q diary.db
      """)
    return Assistant(stage: stage)
  }

  private func edit(_ sql: String, _ more: String = "") -> String {
    #"{"statements":[{"sql":"\#(sql)"}]\#(more)}"#
  }

  @Test func `three rows are changed, shown, and taken back`() throws {
    let assistant = try assistant()
    let edited = try assistant.call(
      "edit",
      #"""
      {"statements":[{"sql":"UPDATE entry SET text = text || :mark WHERE id < 3","params":{"mark":"!"}},
        {"sql":"INSERT INTO entry VALUES (?, ?, ?)","params":[4,"it's",{"blob":"00FF"}]}],"note":"marks"}
      """#.replacingOccurrences(of: "\n", with: " "))
    #expect(edited.isError(1) == false && edited.status == 0)
    let content = edited.content(1)
    #expect(content["changedRows"] as? Int == 3 && content["written"] as? [Int] == [2, 1])
    let table = try #require((content["tables"] as? [[String: Any]])?.first)
    #expect(table["updated"] as? Int == 2 && table["inserted"] as? Int == 1)
    let history = try assistant.stage.json("openwo history --json")
    let versions = try #require(history["versions"] as? [[String: Any]])
    #expect(versions[0]["id"] as? String == content["version"] as? String)
    #expect(versions[0]["reason"] as? String == "edit" && versions[0]["note"] as? String == "marks")
    #expect(versions[1]["id"] as? String == content["head"] as? String)

    let undo = try #require(content["undo"] as? String)
    let undone = try assistant.call("undo", #"{"id":"\#(undo)"}"#)
    #expect(undone.isError(1) == false)
    #expect(undone.content(1)["restored"] as? String == content["head"] as? String)
    let again = try assistant.call("undo", #"{"id":"\#(undo)"}"#)
    #expect(again.isError(1) == false && again.content(1)["version"] is NSNull)
    #expect(
      try assistant.stage.text("openwo query --csv 'SELECT group_concat(text) AS t FROM entry'")
        == "t\r\n\"one,two,three\"\r\n")
    #expect(try assistant.stage.json("openwo status --json")["lock"] is NSNull)
  }

  @Test func `a preview of an edit leaves no trace, and returns the head that the edit expects`()
    throws
  {
    let assistant = try assistant()
    let look =
      "find . -printf '%p %T@ %C@ ' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try assistant.stage.text(look)
    let tried = try assistant.call("preview_edit", edit("DELETE FROM entry WHERE id = 1"))
    #expect(tried.content(1)["changedRows"] as? Int == 21, "cascades count")
    #expect(try assistant.stage.text(look) == before)
    let head = try #require(tried.content(1)["head"] as? String)
    try assistant.stage.text(
      "openwo edit -q diary.db -- sqlite3 {} \"INSERT INTO part VALUES (99, 2)\"")
    let stale = try assistant.call(
      "edit", edit("DELETE FROM entry WHERE id = 1", #","if_head":"\#(head)""#))
    #expect(stale.isError(1) == true && stale.content(1)["error"] as? String == "headMoved")
    #expect(
      try assistant.stage.text("openwo query --csv 'SELECT count(*) c FROM entry'") == "c\r\n3\r\n")
  }

  private static let refused = [
    "ATTACH 'other.db' AS other", "VACUUM INTO 'other.db'", "VACUUM", "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = OFF", "PRAGMA writable_schema = ON", "PRAGMA foreign_keys = OFF",
    "COMMIT",
    "ROLLBACK", "SAVEPOINT s", "BEGIN", "SELECT load_extension('x')", "CREATE TEMP TABLE t(a)",
    "CREATE TABLE t(a)", "DROP TABLE part", "CREATE VIRTUAL TABLE t USING fts5(a)",
    "DETACH main", "UPDATE entry SET n = 1; DELETE FROM entry", "UPDATE sqlite_schema SET sql = ''",
    "INSERT OR ROLLBACK INTO entry VALUES (1, 'x', 0)", "INSERT INTO entry VALUES (9, NULL, 0)",
    "INSERT INTO part VALUES (50, 50)", "UPDATE nothing SET a = 1", "UPDATE entry SET n = ?", "",
  ]

  @Test func `an edit changes rows and nothing else, all of it or nothing`() throws {
    let assistant = try assistant()
    let answers = try assistant.say(
      Self.refused.enumerated().map { index, sql in
        let statements = #"{"sql":"UPDATE entry SET n = 7"},{"sql":"\#(sql)"}"#
        return Assistant.call(
          index, index.isMultiple(of: 7) ? "preview_edit" : "edit",
          #"{"statements":[\#(statements)]}"#)
      })
    for (id, sql) in Self.refused.enumerated() {
      #expect(answers.isError(id) == true, "\(sql): \(answers.content(id))")
      #expect(answers.content(id)["error"] as? String == "usage", "\(sql)")
    }
    let stage = assistant.stage
    #expect(try stage.text("openwo query --csv 'SELECT sum(n) s FROM entry'") == "s\r\n3.5\r\n")
    #expect(try stage.text("openwo history | wc -l") == "2\n")
    #expect(try stage.run("test -e other.db").status == 1)
    #expect(try stage.json("openwo status --json")["state"] as? String == "synced")
  }

  @Test func `more rows than allowed are refused, those of a table that is dropped too`() throws {
    let assistant = try assistant()
    let answers = try assistant.say(
      Assistant.call(1, "edit", edit("UPDATE entry SET n = 1", #","max_rows":2"#)),
      Assistant.call(
        2, "edit", edit("DROP TABLE part", #","max_rows":5,"allow_schema_changes":true"#)),
      Assistant.call(3, "edit", edit("UPDATE entry SET n = n")),
      Assistant.call(4, "edit", edit("DROP TABLE part", #","allow_schema_changes":true"#)))
    #expect(answers.isError(1) == true && answers.isError(2) == true)
    #expect(answers.content(3)["version"] is NSNull, "no row differs")
    #expect(answers.content(4)["changedRows"] as? Int == 20)
    #expect(try assistant.stage.text("openwo history | wc -l") == "3\n")
  }

  @Test func `the holder of the lock is named, and nothing is written`() throws {
    let assistant = try assistant()
    try assistant.stage.text("openwo lock -q --note 'by hand' diary.db")
    let locked = try assistant.say(
      Assistant.call(1, "edit", edit("UPDATE entry SET n = 1")),
      Assistant.call(2, "query", #"{"sql":"SELECT count(*) FROM entry"}"#),
      Assistant.call(3, "status"))
    let message = try #require(locked.content(1)["message"] as? String)
    #expect(message.contains("by hand") && message.contains("since"))
    #expect((locked.content(1)["hint"] as? String)?.contains("openwo unlock") == true)
    #expect(locked.isError(2) == false)
    #expect((locked.content(3)["lock"] as? [String: Any])?["note"] as? String == "by hand")
    try assistant.stage.text("openwo unlock -q")
    #expect(try assistant.call("edit", edit("UPDATE entry SET n = 1")).isError(1) == false)
  }

  @Test func `an undo with newer versions on top is refused, one row comes back by restore`() throws
  {
    let assistant = try assistant()
    let first = try assistant.call("edit", edit("UPDATE entry SET text = 'new' WHERE id = 1"))
    let id = try #require(first.content(1)["undo"] as? String)
    let answers = try assistant.say(
      Assistant.call(1, "edit", edit("UPDATE entry SET n = 9 WHERE id = 2")),
      Assistant.call(2, "undo", #"{"id":"\#(id)"}"#),
      Assistant.call(3, "restore", #"{"version":"@~2","table":"entry","key":1,"dry_run":true}"#),
      Assistant.call(4, "restore", #"{"version":"@~2","table":"entry","key":1}"#),
      Assistant.call(5, "query", #"{"sql":"SELECT text, n FROM entry WHERE id < 3"}"#),
      Assistant.call(6, "history", #"{"table":"entry","key":[1]}"#),
      Assistant.call(7, "restore", #"{"version":"@~1","dry_run":true}"#))
    #expect(answers.content(2)["error"] as? String == "headMoved")
    #expect(answers.content(3)["version"] is NSNull && answers.isError(4) == false)
    let rows = try #require(answers.content(5)["rows"] as? [[Any]])
    #expect(rows[0][0] as? String == "one")
    #expect((answers.content(6)["changes"] as? [Any])?.count == 3)
    let table = try #require((answers.content(7)["tables"] as? [[String: Any]])?.first)
    #expect(table["updated"] as? Int == 1 && (table["rows"] as? [Any])?.count == 1)
  }

  @Test func `two devices' versions are merged, after a look at what it would do`() throws {
    let assistant = try assistant()
    try assistant.stage.text(
      """
      openwo sync -q; on mac openwo sync -q
      cp -r . ../Other; cd ../Other
      on mac openwo edit -q diary.db -- sqlite3 {} "UPDATE entry SET text = 'mac' WHERE id = 1"
      cd ../Training
      openwo edit -q diary.db -- sqlite3 {} "UPDATE entry SET text = 'laptop' WHERE id = 2"
      cp -n ../Other/diary.db.openwo/versions/* diary.db.openwo/versions/; cp ../Other/diary.db 'diary (conflicted copy).db'
      """)
    let answers = try assistant.say(
      Assistant.call(1, "merge", #"{"dry_run":true}"#), Assistant.call(2, "merge"),
      Assistant.call(3, "query", #"{"sql":"SELECT text FROM entry WHERE id < 3"}"#),
      Assistant.call(4, "conflicts"))
    #expect(answers.isError(1) == false && answers.content(1)["version"] is NSNull)
    #expect(answers.content(2)["version"] is String, "\(answers.content(2))")
    #expect(answers.content(3)["rows"] as? [[String]] == [["mac"], ["laptop"]])
    #expect((answers.content(4)["settled"] as? [Any])?.isEmpty == false)
  }
}
