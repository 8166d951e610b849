import Foundation
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

@Suite(.enabled(if: Shell.exists)) struct SQLScriptTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs the script from `old` to `new` on a copy of `old` and says what still differs.
  private func rest(_ old: TestDatabase, _ new: TestDatabase) throws -> DatabaseDifference {
    var script = ""
    try SQLScript(from: old.connection, to: new.connection) { script += $0 }.run()
    let path = scratch.path(UUID().uuidString)
    try FileManager.default.copyItem(atPath: old.path, toPath: path)
    // It is the same if the changed rows are too many to be kept.
    var again = ""
    var frugal = SQLScript(from: old.connection, to: new.connection) { again += $0 }
    frugal.keptRows = 0
    try frugal.run()
    #expect(again == script)
    let complaints = try Shell.run(script, on: path)
    #expect(complaints == "", "\(script)")
    return try difference(
      from: new.connection, to: TestDatabase(path).connection,
      options: DifferenceOptions(rows: .all))
  }

  @Test(arguments: 0..<60)
  func `the shell turns the first database into the second`(seed: Int) throws {
    var maker = RandomDatabase(seed: UInt64(seed))
    let old = try scratch.database()
    try maker.fill(
      old, pageSize: 4096, encoding: maker.random.pick(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]))
    let new = try scratch.copy(old)
    try maker.edit(new)
    if maker.random.chance(percent: 50) { try maker.edit(old) }
    let found = try rest(old, new)
    #expect(found.equal, "\(found.schemaChanges) \(found.tables.map(\.rows.first))")
    #expect(found.sequences.isEmpty)
  }

  @Test(arguments: [
    ";\n.shell touch made\n", "; DROP TABLE kept", " -- \n;\n.shell touch made",
    "\n;.shell touch made",
  ]) func `text after a definition in the schema never reaches a script`(tail: String)
    throws
  {
    let old = try scratch.database("CREATE TABLE kept(a); INSERT INTO kept VALUES(1)")
    let new = try scratch.copy(old, "CREATE TABLE x(a); CREATE VIEW v AS SELECT 1")
    try new.script("PRAGMA writable_schema = ON")
    try new.run(
      "UPDATE sqlite_schema SET sql = sql || ? WHERE name IN ('x', 'v')", .text(Array(tail.utf8)))
    var script = ""
    try SQLScript(from: old.connection, to: TestDatabase(new.path).connection) { script += $0 }
      .run()
    #expect(!script.contains("shell") && !script.contains("DROP"), "\(script)")
    #expect(script.contains("CREATE TABLE x(a)"))
    #expect(try rest(old, TestDatabase(new.path)).tables.isEmpty)
  }

  @Test func `a counter that the script's rows raise is put right`() throws {
    let old = try scratch.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO t(x) VALUES('a')")
    let new = try scratch.copy(old, "UPDATE t SET id = 9000000000000000000")
    let found = try rest(old, new)
    #expect(found.equal && found.sequences.isEmpty)
  }

  @Test func `a definition keeps everything that SQLite reads`() {
    let trigger =
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN ';' END; SELECT 2; END"
    #expect(
      SQLTokens.firstStatement(of: trigger + ";\n.shell x", isTrigger: true) == trigger)
    let table = "CREATE TABLE t(\n  a TEXT DEFAULT ';\n.5', -- one; two\n  b /* ; */ CHECK (b > 0))"
    #expect(SQLTokens.firstStatement(of: table, isTrigger: false) == table)
    #expect(
      SQLTokens.firstStatement(of: "CREATE TABLE t(a\ngo\n.shell)", isTrigger: false)
        == "CREATE TABLE t(a\ngo\n .shell)")
  }

  @Test(arguments: 0..<20)
  func `every real is read back bit for bit`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let old = try scratch.database("CREATE TABLE t(k INTEGER PRIMARY KEY, v)")
    let new = try scratch.copy(old, "BEGIN")
    for _ in 0..<300 {
      let real = Double(bitPattern: random.next())
      try new.run("INSERT INTO t(v) VALUES (?)", .real(real))
    }
    try new.script("COMMIT")
    #expect(try rest(old, new) == DatabaseDifference())
  }

  @Test func `rows under a trigger, a cascade and swapped unique values come out as they are`()
    throws
  {
    let old = try scratch.database(
      """
      CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);
      CREATE TRIGGER g AFTER UPDATE ON p BEGIN DELETE FROM c; END;
      CREATE TRIGGER h AFTER DELETE ON p BEGIN DELETE FROM c; END;
      INSERT INTO p VALUES (1,'a'),(2,'b'),(3,'c'); INSERT INTO c VALUES (1,1),(2,2),(3,3);
      """)
    let new = try scratch.copy(
      old,
      """
      PRAGMA foreign_keys=OFF; DROP TRIGGER g; DROP TRIGGER h; UPDATE p SET name='x' WHERE id=1;
      UPDATE p SET name='a' WHERE id=2; UPDATE p SET name='b' WHERE id=1;
      DELETE FROM p WHERE id=3; UPDATE c SET p=1 WHERE id=3;
      CREATE TRIGGER g AFTER UPDATE ON p BEGIN DELETE FROM c; END;
      """)
    #expect(try rest(old, new) == DatabaseDifference())
  }

  @Test func `odd text survives, in names and in values`() throws {
    let old = try scratch.database(
      "CREATE TABLE \"a\"\"\n.quit\"(k INTEGER PRIMARY KEY, \"c'\nd\")")
    let new = try scratch.copy(old)
    for bytes in [[0x61, 0, 0x62], [0xFF, 0xFE], Array("it's\n.quit\n; --".utf8), []] as [[UInt8]] {
      let value = CellValue.text(bytes)
      try new.run("INSERT INTO \"a\"\"\n.quit\"(\"c'\nd\") VALUES (?)", value)
    }
    #expect(try rest(old, new) == DatabaseDifference())
  }

  @Test(arguments: ["UTF-8", "UTF-16le"])
  func `ends of lines survive a shell that takes them away`(encoding: String) throws {
    let old = try scratch.database("PRAGMA encoding = '\(encoding)'; CREATE TABLE t(a, b)")
    let new = try scratch.copy(
      old, "INSERT INTO t VALUES('one'||char(13,10)||'it''s'||char(13,10), char(13)||'\u{240D}')")
    let found = try rest(old, new)
    #expect(found.equal, "\(found.tables.map(\.rows.first))")
  }

  @Test func `marks with an accent behind them are doubled in names and in values`() throws {
    let old = try scratch.database("CREATE TABLE \"a\"\"\u{301}\"(\"b\"\"\u{301}\")")
    let new = try scratch.copy(old)
    try new.run(
      "INSERT INTO \"a\"\"\u{301}\" VALUES(?)", .text(Array("it'\u{301}s".utf8)))
    #expect(try rest(old, new).equal)
  }

  @Test func `the tables behind a virtual table with a Japanese name stay out of a script`() throws
  {
    let old = try scratch.database("CREATE TABLE t(a)")
    let new = try scratch.copy(old)
    #expect(
      try Shell.run(
        "CREATE VIRTUAL TABLE 検索 USING fts5(x); INSERT INTO 検索 VALUES('a');"
          + "CREATE VIRTUAL TABLE 場所 USING rtree(id, a, b); INSERT INTO 場所 VALUES(1, 2, 3);",
        on: new.path) == "")
    #expect(try rest(old, TestDatabase(new.path)).equal)
  }

  @Test func `an index of text whose column was renamed does not stop a script`() throws {
    let old = try scratch.database("CREATE TABLE n(x, y); INSERT INTO n VALUES('a', 1)")
    #expect(
      try Shell.run("CREATE VIRTUAL TABLE f USING fts5(x, content='n')", on: old.path) == "")
    let new = try scratch.copy(TestDatabase(old.path))
    #expect(try Shell.run("ALTER TABLE n RENAME COLUMN x TO z", on: new.path) == "")
    #expect(try rest(TestDatabase(old.path), TestDatabase(new.path)).schemaChanges.isEmpty)
  }

  @Test func `a changed schema comes with its rows, indexes and settings`() throws {
    let old = try scratch.database(
      "CREATE TABLE t(k INTEGER PRIMARY KEY AUTOINCREMENT, a); CREATE INDEX i ON t(a);"
        + "INSERT INTO t(a) VALUES (1),(2); CREATE VIEW v AS SELECT a FROM t")
    let new = try scratch.copy(
      old,
      "ALTER TABLE t RENAME COLUMN a TO b; ALTER TABLE t ADD COLUMN c DEFAULT 7; UPDATE t SET c=1;"
        + "DELETE FROM t WHERE k=2; PRAGMA user_version=9; CREATE UNIQUE INDEX u ON t(b)")
    #expect(try rest(old, new) == DatabaseDifference())
  }

  @Test func `equal databases make no script`() throws {
    let old = try scratch.database("CREATE TABLE t(a); INSERT INTO t VALUES(1)")
    var script = ""
    try SQLScript(from: old.connection, to: old.connection) { script += $0 }.run()
    #expect(script == "")
  }
}
