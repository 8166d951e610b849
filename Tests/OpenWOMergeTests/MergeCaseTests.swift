import OpenWOSQLite
import Testing

@testable import OpenWOMerge

@Suite struct MergeCaseTests {
  private static let person =
    "CREATE TABLE person(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, city TEXT);"
    + "INSERT INTO person VALUES (1,'ann','rome'),(2,'bob','oslo'),(3,'cid','bern')"

  @Test func `changes to different rows are both there`() throws {
    let scene = try MergeScene(
      Self.person, ours: "UPDATE person SET city='nice' WHERE id=1",
      theirs: "DELETE FROM person WHERE id=3; INSERT INTO person VALUES (9,'eve','lyon')")
    #expect(
      try scene.outcome("SELECT * FROM person") == ["1|ann|nice", "2|bob|oslo", "9|eve|lyon"])
    let report = try scene.merge().report
    #expect(report.tables.map { [$0.fromOurs, $0.fromTheirs, $0.converged] } == [[1, 2, 0]])
  }

  @Test func `text that is not UTF-8 finds its row and stays unchanged`() throws {
    let text = "CAST(X'6BC36B' AS TEXT)"
    let scene = try MergeScene(
      "CREATE TABLE t(k TEXT PRIMARY KEY, a, b) WITHOUT ROWID; INSERT INTO t VALUES(\(text), 0, 0)",
      ours: "UPDATE t SET a = 1", theirs: "UPDATE t SET b = \(text)")
    #expect(
      try scene.outcome("SELECT hex(k), typeof(k), a, hex(b), typeof(b) FROM t")
        == ["6BC36B|text|1|6BC36B|text"])
  }

  @Test func `changes to different cells of a row are both there`() throws {
    let scene = try MergeScene(
      Self.person, ours: "UPDATE person SET city='nice' WHERE id=1",
      theirs: "UPDATE person SET name='anna' WHERE id=1")
    #expect(try scene.outcome("SELECT * FROM person WHERE id=1") == ["1|anna|nice"])
    #expect(try scene.merge().report.tables[0].decided.isEmpty)
  }

  @Test func `the same cell goes to the later version, and the report says so`() throws {
    let scene = try MergeScene(
      Self.person, ours: "UPDATE person SET city='nice' WHERE id=1",
      theirs: "UPDATE person SET city='pisa' WHERE id=1")
    #expect(try scene.outcome("SELECT city FROM person WHERE id=1") == ["pisa"])
    let decision = try scene.merge().report.tables[0].decided[0]
    #expect(decision.winner == .theirs && decision.columns == ["city"])
    #expect(decision.reason == .versionTime && decision.key == [.integer(1)])
  }

  @Test func `a column with the time of change decides before the versions' times`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, updated_at TEXT); INSERT INTO t VALUES(1,0,'2026-01')",
      ours: "UPDATE t SET v=1, updated_at='2026-03'",
      theirs: "UPDATE t SET v=2, updated_at='2026-02'")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|1|2026-03"])
    #expect(try scene.merge().report.tables[0].decided[0].reason == .column("updated_at"))
  }

  @Test func `the same change on both sides converges`() throws {
    let edit = "UPDATE person SET city='nice' WHERE id=1; DELETE FROM person WHERE id=2;"
    let scene = try MergeScene(Self.person, ours: edit, theirs: edit)
    #expect(try scene.outcome("SELECT id, city FROM person") == ["1|nice", "3|bern"])
    #expect(try scene.merge().report.tables[0].converged == 2)
  }

  @Test(arguments: [true, false])
  func `an update is kept against a delete, and reported`(deletes: Bool) throws {
    let (gone, changed) = ("DELETE FROM person WHERE id=1", "UPDATE person SET city='x' WHERE id=1")
    let scene = try MergeScene(
      Self.person, ours: deletes ? gone : changed, theirs: deletes ? changed : gone)
    #expect(try scene.outcome("SELECT * FROM person WHERE id=1") == ["1|ann|x"])
    #expect(try scene.merge().report.tables[0].decided.map(\.conflict) == [.deleteAgainstUpdate])
  }

  @Test func `a soft delete stays with an edit of another cell`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v, deletedAt); INSERT INTO t VALUES(1,0,NULL)",
      ours: "UPDATE t SET deletedAt='now'", theirs: "UPDATE t SET v=5")
    #expect(try scene.outcome("SELECT * FROM t") == ["1|5|now"])
  }

  @Test func `different rows under one number are both kept`() throws {
    let scene = try MergeScene(
      Self.person, ours: "INSERT INTO person(name) VALUES ('dan'),('eva')",
      theirs: "INSERT INTO person(name) VALUES ('fay')")
    #expect(
      try scene.outcome("SELECT id, name FROM person WHERE id > 3") == ["4|dan", "5|eva", "6|fay"])
    let renumbered = try scene.merge().report.tables[0].renumbered
    #expect(
      renumbered == [
        Renumbering(side: .theirs, from: [.integer(4)], to: [.integer(6)], isSameRow: false)
      ])
  }

  @Test func `children three levels deep follow a renumbered row`() throws {
    let insert = { (name: String) in
      "INSERT INTO a VALUES (1,'\(name)'); INSERT INTO b VALUES (1,1,'\(name)');"
        + "INSERT INTO c VALUES (1,1,'\(name)'); INSERT INTO d VALUES (1,1,1,'\(name)')"
    }
    let scene = try MergeScene(
      "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, n);"
        + "CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a, n);"
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, b REFERENCES b(id), n);"
        + "CREATE TABLE d(c REFERENCES c(id), b REFERENCES b, k, n, PRIMARY KEY(c, k)) WITHOUT ROWID",
      ours: insert("ours"), theirs: insert("theirs"))
    let query =
      "SELECT a.n, b.n, c.n, d.n FROM a JOIN b ON b.a=a.id JOIN c ON c.b=b.id JOIN d ON d.c=c.id "
      + "AND d.b=b.id ORDER BY 1"
    #expect(try scene.outcome(query) == ["ours|ours|ours|ours", "theirs|theirs|theirs|theirs"])
    #expect(try scene.merge().result.connection.foreignKeyViolations().isEmpty)
  }

  @Test func `a row inserted on both sides is one row by its unique value`() throws {
    let scene = try MergeScene(
      "CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, color);"
        + "CREATE TABLE note(id INTEGER PRIMARY KEY, tag REFERENCES tag, text)",
      ours: "INSERT INTO tag VALUES (1,'x','red'); INSERT INTO note VALUES (1,1,'ours')",
      theirs: "INSERT INTO tag VALUES (1,'y','blue'),(2,'X','green');"
        + "INSERT INTO note VALUES (1,2,'theirs'),(2,1,'other')")
    #expect(
      try scene.outcome("SELECT lower(name), color FROM tag ORDER BY 1") == ["x|green", "y|blue"])
    #expect(
      try scene.outcome(
        "SELECT text, lower(name) FROM note JOIN tag ON tag.id=note.tag ORDER BY 1")
        == ["other|y", "ours|x", "theirs|x"])
  }

  @Test func `rows that point to themselves and in circles follow`() throws {
    let scene = try MergeScene(
      "CREATE TABLE n(id INTEGER PRIMARY KEY, up REFERENCES n, twin REFERENCES m, v);"
        + "CREATE TABLE m(id INTEGER PRIMARY KEY, n REFERENCES n, v)",
      ours: "BEGIN; PRAGMA defer_foreign_keys=ON; INSERT INTO n VALUES (1,1,1,'o'),(2,1,NULL,'o2');"
        + "INSERT INTO m VALUES (1,2,'o'); COMMIT",
      theirs: "BEGIN; PRAGMA defer_foreign_keys=ON; INSERT INTO n VALUES (1,2,1,'t'),(2,1,1,'t2');"
        + "INSERT INTO m VALUES (1,1,'t'); COMMIT")
    let query =
      "SELECT n.v, up.v, m.v, back.v FROM n JOIN n up ON up.id=n.up LEFT JOIN m ON m.id=n.twin "
      + "LEFT JOIN n back ON back.id=m.n ORDER BY 1"
    #expect(
      try scene.outcome(query)
        == ["o|o|o|o2", "o2|o|NULL|NULL", "t|t2|t|t", "t2|t|t|t"])
  }

  @Test func `a deleted parent stays for a child the other side made`() throws {
    let scene = try MergeScene(
      "CREATE TABLE p(id INTEGER PRIMARY KEY, v);"
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, v);"
        + "INSERT INTO p VALUES (1,'p'),(2,'q'); INSERT INTO c VALUES (1,1,'a'),(2,2,'b')",
      ours: "DELETE FROM p WHERE id=1", theirs: "INSERT INTO c VALUES (7,1,'new')")
    #expect(try scene.outcome("SELECT id, v FROM p") == ["1|p", "2|q"])
    #expect(try scene.outcome("SELECT id, v FROM c") == ["1|a", "2|b", "7|new"])
    let decided = try scene.merge().report.tables.flatMap(\.decided).map(\.conflict)
    #expect(decided == [.deleteAgainstReference, .deleteAgainstReference])
  }

  @Test(arguments: [MergeSide.ours, .theirs])
  func `a column added on one side is filled in rows of the other`(first: MergeSide) throws {
    var scene = try MergeScene(
      Self.person,
      ours: "INSERT INTO person VALUES (4,'dan','kiel'); UPDATE person SET city='x' WHERE id=1",
      theirs: "ALTER TABLE person ADD COLUMN age DEFAULT 7; UPDATE person SET age=30 WHERE id=1;"
        + "INSERT INTO person(id,name,age) VALUES (4,'eva',8)")
    scene.options.first = first
    let ids = first == .ours ? ["4|dan|7", "5|eva|8"] : ["4|eva|8", "5|dan|7"]
    #expect(
      try scene.outcome("SELECT id, name, age FROM person WHERE id <> 2 AND id <> 3 ORDER BY id")
        == ["1|ann|30"] + ids)
    #expect(try scene.outcome("SELECT city FROM person WHERE id=1") == ["x"])
  }

  @Test func `a table, an index and a version number made on one side are taken`() throws {
    let scene = try MergeScene(
      Self.person, ours: "UPDATE person SET city='x'",
      theirs: "CREATE TABLE pet(id INTEGER PRIMARY KEY, owner REFERENCES person);"
        + "CREATE INDEX pets ON pet(owner); PRAGMA user_version=3; INSERT INTO pet VALUES (1,2)")
    #expect(try scene.outcome("SELECT * FROM pet") == ["1|2"])
    #expect(try scene.outcome("PRAGMA user_version") == ["3"])
    #expect(try scene.outcome("SELECT name FROM sqlite_master WHERE name='pets'") == ["pets"])
  }

  @Test func `if merged cells violate a CHECK, the later row wins`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, low, high, CHECK(low < high)); INSERT INTO t VALUES(1,1,9)",
      ours: "UPDATE t SET low=8", theirs: "UPDATE t SET high=2")
    #expect(try scene.outcome("SELECT low, high FROM t") == ["1|2"])
    #expect(try scene.merge().report.tables[0].decided.map(\.conflict) == [.constraint])
  }

  @Test func `a unique value given to two old rows is refused with the row`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE); INSERT INTO t VALUES(1,'a'),(2,'b')",
      ours: "UPDATE t SET u='x' WHERE id=1", theirs: "UPDATE t SET u='x' WHERE id=2")
    let refusal = #expect(throws: MergeRefusal.self) { try scene.merge() }
    #expect(refusal?.table == "t" && refusal?.rows == [[.integer(1)], [.integer(2)]])
    #expect(refusal?.sides == [.ours, .theirs])
  }

  @Test func `unique values that change places are written`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, u UNIQUE, v); INSERT INTO t VALUES(1,'a',0),(2,'b',0)",
      ours: "UPDATE t SET v=1",
      theirs:
        "UPDATE t SET u='x' WHERE id=1; UPDATE t SET u='a' WHERE id=2; UPDATE t SET u='b' WHERE id=1"
    )
    #expect(try scene.outcome("SELECT * FROM t") == ["1|b|1", "2|a|1"])
  }

  @Test func `a merge without a base is refused unless requested, and then merges by key`() throws {
    var scene = try MergeScene(
      "", ours: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a',1),('b',1)",
      theirs: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('b',2),('c',2),('a',1)")
    scene.hasBase = false
    #expect(throws: MergeRefusal.self) { try scene.merge() }
    scene.options.allowsEmptyBase = true
    #expect(try scene.outcome("SELECT * FROM t ORDER BY 1") == ["a|1", "b|2", "c|2"])
  }

  @Test func `triggers do not fire and are still there`() throws {
    let scene = try MergeScene(
      Self.person + ";CREATE TABLE log(x);"
        + "CREATE TRIGGER g AFTER INSERT ON person BEGIN INSERT INTO log VALUES(new.id); END",
      ours: "UPDATE person SET city='x'", theirs: "INSERT INTO person(name) VALUES('dan')")
    #expect(try scene.outcome("SELECT * FROM log") == ["4"])
    #expect(try scene.outcome("SELECT count(*) FROM sqlite_master WHERE type='trigger'") == ["1"])
  }

  @Test func `AUTOINCREMENT continues from the highest number that either side gave`() throws {
    let scene = try MergeScene(
      Self.person, ours: "INSERT INTO person VALUES(90,'x','x'); DELETE FROM person WHERE id=90",
      theirs: "INSERT INTO person(name) VALUES('dan')")
    #expect(try scene.outcome("SELECT seq FROM sqlite_sequence") == ["90"])
  }
}
