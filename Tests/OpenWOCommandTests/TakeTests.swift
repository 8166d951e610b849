import Foundation
import Testing

/// `merge --take FILE`: a person says which side each conflict takes.
struct TakeTests {
  /// A store and a copy of it; both sides have written into the same rows, and one of them removed some.
  private func stage(_ there: String = "", _ here: String = "") throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT, target INT, low INT,
          high INT, CHECK (low <= high));
        CREATE TABLE session(id INTEGER PRIMARY KEY, exercise REFERENCES exercise ON DELETE CASCADE,
          note TEXT);
        INSERT INTO exercise VALUES(1, 'Squat', 5, 1, 9), (2, 'Press', 5, 1, 9), (3, 'Dip', 5, 1, 9);
        INSERT INTO session VALUES(1, 1, ''), (2, 2, ''), (3, 3, '')"
      openwo init -q diary.db; cp diary.db 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "UPDATE exercise SET name = 'there', target = 1 WHERE id = 1;
        UPDATE session SET note = 'there' WHERE id = 2; DELETE FROM session WHERE id = 1; \(there)"
      touch -d '2026-01-02 03:04' 'diary (conflicted copy).db'
      openwo edit -q -- sqlite3 {} "UPDATE exercise SET name = 'here', target = 2 WHERE id = 1;
        UPDATE session SET note = 'here' WHERE id IN (1, 2); \(here)"
      openwo merge --dry-run --json > ../sides.json
      """)
    return stage
  }

  private let rows = """
    sqlite3 diary.db "SELECT name, target, low, high FROM exercise ORDER BY id; \
    SELECT id, note FROM session ORDER BY id"
    """

  private typealias Conflict = [String: Any]

  /// The document that was printed, its conflicts changed, as the file `chosen.json`.
  private func choose(_ stage: Stage, _ body: (inout [Conflict]) -> Void) throws {
    let printed = try Data(contentsOf: stage.root.appending(path: "sides.json"))
    var document = try #require(
      JSONSerialization.jsonObject(with: printed) as? [String: Any])
    var conflicts = try #require(document["conflicts"] as? [Conflict])
    body(&conflicts)
    document["conflicts"] = conflicts
    try JSONSerialization.data(withJSONObject: document)
      .write(to: stage.root.appending(path: "chosen.json"))
  }

  /// Takes a side for all conflicts for which a condition holds.
  private func choose(
    _ side: String, in stage: Stage, where isMeant: (Conflict) -> Bool
  ) throws {
    try choose(stage) { conflicts in
      for index in conflicts.indices where isMeant(conflicts[index]) {
        conflicts[index]["side"] = side
      }
    }
  }

  @Test func `more conflicts than are listed are counted`() throws {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20030) INSERT INTO t SELECT i, i, i FROM n"
      openwo init -q diary.db; cp diary.db 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "UPDATE t SET a = -1 WHERE id <= 10010"
      touch -d '2026-01-02 03:04' 'diary (conflicted copy).db'
      openwo edit -q -- sqlite3 {} "UPDATE t SET a = -2 WHERE id <= 10010"
      openwo merge --dry-run --json > ../sides.json
      """)
    let printed = try Data(contentsOf: stage.root.appending(path: "sides.json"))
    let document = try #require(JSONSerialization.jsonObject(with: printed) as? [String: Any])
    let table = try #require((document["tables"] as? [[String: Any]])?.first)
    #expect((table["decided"] as? [Any])?.count == 10_000)
    #expect(
      (table["unlisted"] as? [String: Int])
        == ["same": 0, "together": 0, "decided": 10, "renumbered": 0])
    let told = try stage.text("openwo merge --dry-run")
    #expect(told.contains("10010 decided by the clock"), "\(told)")
    #expect(told.contains("and 9990 more, 10000 conflicts with --json"), "\(told)")
  }

  @Test func `the output of a dry run is accepted unchanged`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ grep -o '"conflicts":.*' ../sides.json | tr '{' '\\n'
      "conflicts":[
      "table":"exercise","key":[1],"column":"name","side":"ours"},
      "table":"exercise","key":[1],"column":"target","side":"ours"},
      "table":"session","key":[1],"column":null,"side":"ours"},
      "table":"session","key":[2],"column":"note","side":"ours"}],"dryRun":true}
      $ openwo merge --dry-run | tail -1
      to choose the sides yourself: openwo help merge
      $ openwo merge --take ../sides.json | head -1
      merged diary (conflicted copy).db into diary.db, as version <version--1>
      $ \(rows)
      here|2|1|9
      Press|5|1|9
      Dip|5|1|9
      1|here
      2|here
      3|
      """)
  }

  @Test func `the other side is taken if the file says so, and a dry run reports it`() throws {
    let stage = try stage()
    try choose("theirs", in: stage) { $0["column"] as? String != "target" }
    try stage.expect(
      """
      $ openwo merge --take ../chosen.json --dry-run
      would merge diary (conflicted copy).db into diary.db:
        exercise  2 as you chose
          target of row 1 is as here, as you chose
          name of row 1 is as there, as you chose
        session   2 as you chose
          row 1, changed on one side and removed on the other, is as there, as you chose
          note of row 2 is as there, as you chose
      to choose the sides yourself: openwo help merge
      $ openwo merge -q --take ../chosen.json
      $ \(rows)
      there|2|1|9
      Press|5|1|9
      Dip|5|1|9
      2|there
      3|
      """)
  }

  @Test func `one entry may concern a whole row, and only conflicts are needed`() throws {
    let stage = try stage()
    let entries = [
      #"{"table": "exercise", "key": [1], "side": "theirs"}"#,
      #"{"table": "exercise", "key": [1], "column": "name", "side": "ours"}"#,
      #"{"table": "session", "key": [1], "side": "ours"}"#,
      #"{"table": "session", "key": [2], "side": "theirs"}"#,
    ]
    try stage.text("echo '{\"conflicts\": [\(entries.joined(separator: ", "))]}' > ../chosen.json")
    try stage.expect(
      """
      $ openwo merge -q --take ../chosen.json
      $ \(rows)
      here|1|1|9
      Press|5|1|9
      Dip|5|1|9
      1|here
      2|there
      3|
      """)
  }

  @Test func `a file that does not fit is refused, and nothing is written`() throws {
    let stage = try stage()
    let look = "openwo history; find . -type f -print0 | sort -z | xargs -0 sha256sum"
    let before = try stage.text(look)
    let cases: [(String, (inout [Conflict]) -> Void)] = [
      ("no side is chosen for name of row 1 of exercise", { $0.removeFirst() }),
      ("no side is chosen for target of row 1 of exercise and 2 more", { $0 = [$0[0]] }),
      ("there is no conflict about note of row 7 of session", { $0[3]["key"] = [7] }),
      ("there is no conflict about day of row 2 of session", { $0[3]["column"] = "day" }),
      ("there is no conflict about note of row 2 of sesion", { $0[3]["table"] = "sesion" }),
      ("note of row 2 of session is chosen twice", { $0.append($0[3]) }),
    ]
    for (why, change) in cases {
      try choose(stage, change)
      for option in ["", "--dry-run"] {
        let result = try stage.run("openwo merge \(option) --take ../chosen.json")
        #expect(result.status == 1)
        let said = result.remarkText
        #expect(said.contains("were not merged: \(why); nothing was written"), "\(said)")
      }
    }
    #expect(try stage.text(look) == before)
  }

  @Test func `a malformed file of choices is an invalid call`() throws {
    let stage = try stage()
    for content in [
      "", "[]", "{}", #"{"conflicts": 1}"#, #"{"conflicts": [{"table": "session"}]}"#,
      #"{"conflicts": [{"table": "session", "key": [2], "side": "mine"}]}"#,
    ] {
      try stage.text("printf '%s' '\(content)' > ../chosen.json")
      let result = try stage.run("openwo merge --take ../chosen.json")
      #expect(result.status == 64, "\(content)")
      #expect(result.remarkText.contains("cannot be read as choices"), "\(result.remarkText)")
    }
    #expect(try stage.run("openwo merge --take ../missing.json").status == 64)
    #expect(try stage.run("openwo merge --all --take ../sides.json").status == 64)
  }

  @Test func `a choice cannot delete a row that another row refers to`() throws {
    // Gone there, changed here, and a new row here points to it.
    let stage = try stage(
      "DELETE FROM session WHERE id = 3; DELETE FROM exercise WHERE id = 3",
      "UPDATE exercise SET target = 7 WHERE id = 3; INSERT INTO session VALUES(4, 3, 'new')")
    try choose("theirs", in: stage) { $0["key"] as? [Int] == [3] }
    let result = try stage.run("openwo merge --take ../chosen.json")
    #expect(result.status == 1)
    #expect(
      result.remarkText.contains(
        "row 3 of exercise cannot be as chosen, since a row that stays points to it"),
      "\(result.remarkText)")
  }

  @Test func `a row whose cells conflict is chosen as a whole`() throws {
    let stage = try stage(
      "UPDATE exercise SET low = 8 WHERE id = 2", "UPDATE exercise SET high = 2 WHERE id = 2")
    func isMeant(_ conflict: Conflict) -> Bool {
      conflict["key"] as? [Int] == [2] && conflict["table"] as? String == "exercise"
    }
    try choose(stage) { #expect($0.filter(isMeant).map { $0["column"] is NSNull } == [true]) }
    try choose("theirs", in: stage, where: isMeant)
    try stage.expect(
      """
      $ openwo merge -q --take ../chosen.json
      $ sqlite3 diary.db "SELECT low, high FROM exercise WHERE id = 2"
      8|9
      """)
  }

  @Test func `ours is what is live here, whichever side was later`() throws {
    let stage = try stage()
    try stage.text("touch 'diary (conflicted copy).db'; openwo merge -n --json > ../sides.json")
    try choose(stage) { conflicts in
      // A changed row stays, though it was removed later.
      let cells = conflicts.filter { $0["column"] is String }
      #expect(cells.count == 3 && cells.allSatisfy { $0["side"] as? String == "theirs" })
    }
    try choose("ours", in: stage) {
      $0["table"] as? String == "session" || $0["column"] as? String == "name"
    }
    try stage.expect(
      """
      $ openwo merge -q --take ../chosen.json
      $ \(rows)
      here|1|1|9
      Press|5|1|9
      Dip|5|1|9
      1|here
      2|here
      3|
      """)
  }

  @Test func `choices and an expected head go together`() throws {
    let stage = try stage()
    #expect(try stage.run("openwo merge --take ../sides.json --if-head @~1").status == 14)
    try stage.text("openwo merge -q --take ../sides.json --if-head @")
  }
}
