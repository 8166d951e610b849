import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Merges of very many updated rows, which do not stay in memory; ``MergeScene`` holds each against the one in memory.
struct SpilledMergeTests {
  private static let schema =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, code UNIQUE, a, b, c, parent REFERENCES t, "
    + "CHECK (a + b < 1000)); "
    + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
    + "INSERT INTO t SELECT i, 'code ' || i, i, i, 'text', NULLIF(i / 2, 0) FROM n"

  /// How many rows each side updated that are decided one at a time.
  private func plain(_ scene: MergeScene) throws -> Sides<Int>? {
    try scene.spilling { try scene.plan($0).tables["t"]?.plain?.counts }
  }

  @Test func `updated rows that touch no other row are decided one at a time`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = a + 1", theirs: "UPDATE t SET c = 'new'")
    #expect(try plain(scene) == Sides(ours: 200, theirs: 200))
    #expect(try scene.outcome("SELECT count(*) FROM t WHERE a = b + 1 AND c = 'new'") == ["200"])
  }

  @Test func `rows whose key, reference or unique value changed come into memory`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: "UPDATE t SET a = a + 1; UPDATE t SET code = 'other ' || id WHERE id <= 20",
      theirs: "UPDATE t SET c = 'new'; UPDATE t SET parent = 1 WHERE id > 190; "
        + "UPDATE t SET parent = NULL WHERE parent = 50; UPDATE t SET id = 1000 WHERE id = 50")
    let plain = try plain(scene)
    #expect(plain?.ours ?? 0 > 160 && plain?.ours == plain?.theirs)
    #expect(
      try scene.outcome("SELECT sum(parent = 1), sum(code LIKE 'other%') FROM t") == ["12|20"])
  }

  @Test func `a row whose parent the other side deleted keeps it`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = 0",
      theirs: "UPDATE t SET c = 'new' WHERE id < 100; UPDATE t SET parent = NULL "
        + "WHERE parent = 60; DELETE FROM t WHERE id = 60")
    #expect(try scene.outcome("SELECT count(*) FROM t WHERE id = 60") == ["1"])
  }

  @Test func `cells that break a constraint together give way to a whole row`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = a + 600 WHERE id < 190",
      theirs: "UPDATE t SET b = b + 600 WHERE id < 190")
    let report = try scene.merge().report
    #expect(report.tables[0].decided.map(\.conflict).count { $0 == .constraint } == 189)
    #expect(try plain(scene)?.ours == 189)
  }

  @Test func `a row taken whole is told by its own changes, not by rows that look alike`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(a, b, CHECK (a + b < 1000)); INSERT INTO t VALUES(0, 0), (9, 9), (8, 8)",
      ours: "UPDATE t SET a = 600 WHERE rowid = 1; UPDATE t SET a = 0, b = 600 WHERE rowid = 2; "
        + "UPDATE t SET a = 7 WHERE rowid = 3",
      theirs: "UPDATE t SET b = 600 WHERE rowid = 1")
    let decided = try scene.merge().report.tables[0].decided
    #expect(decided.map(\.conflict) == [.constraint] && decided.map(\.winner) == [.theirs])
  }

  /// Only here the row that it points to is there, so this is the one that it follows.
  @Test func `a reference that led nowhere follows the row that a side put there`() throws {
    let scene = try MergeScene(
      "PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, name UNIQUE); "
        + "INSERT INTO p VALUES(5, 'x'); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p, v, w); "
        + "INSERT INTO c VALUES(1, 99, 1, 1), (2, 99, 2, 2), (3, 98, 3, 3), (4, NULL, 4, 4)",
      ours: "DELETE FROM p; INSERT INTO p VALUES(99, 'x'); UPDATE c SET v = 'new'",
      theirs: "INSERT INTO c VALUES(7, 5, 0, 0); UPDATE c SET w = 'other' WHERE id = 2")
    #expect(try scene.spilling { try scene.plan($0).tables["c"]?.plain?.counts.ours } == 4)
    #expect(
      try scene.outcome("SELECT id, p, v, w FROM c ORDER BY id") == [
        "1|5|new|1", "2|5|new|other", "3|98|new|3", "4|NULL|new|4", "7|5|0|0",
      ])
  }

  @Test func `a refusal names the side of a row that no one keeps in memory`() throws {
    var scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = a + 1",
      theirs: "UPDATE t SET b = 0; CREATE UNIQUE INDEX only ON t(b)  WHERE id = 0")
    scene.options.rules = ["t": .cells]
    _ = try? scene.merge()
    let other = try MergeScene(
      Self.schema, ours: "UPDATE t SET b = 1 WHERE id < 150",
      theirs: "CREATE UNIQUE INDEX i ON t(b)")
    #expect(throws: MergeRefusal.self) { try other.merge() }
  }

  @Test func `a number that was used again is another row`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = a + 1",
      theirs: "UPDATE t SET c = 'new'; UPDATE t SET parent = NULL WHERE parent > 100; "
        + "DELETE FROM t WHERE id = 200; INSERT INTO t VALUES(200, 'z', 5, 6, 'y', 3)")
    _ = try scene.outcome("SELECT * FROM t ORDER BY id")
  }

  @Test func `rows with a reference in a unique value follow it to another number`() throws {
    let scene = try MergeScene(
      "CREATE TABLE list(id INTEGER PRIMARY KEY, name); CREATE TABLE other(id INTEGER PRIMARY KEY); "
        + "CREATE TABLE item(id INTEGER PRIMARY KEY, list REFERENCES list, name, UNIQUE(list, name))",
      ours: "INSERT INTO list VALUES(10, 'ours')",
      theirs: "ALTER TABLE other ADD COLUMN x; INSERT INTO list VALUES(10, 'theirs'); "
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
        + "INSERT INTO item SELECT i, 10, 'item ' || i FROM n")
    let lists =
      "SELECT list.name, count(item.id) FROM list LEFT JOIN item ON list = list.id GROUP BY 1"
    #expect(try scene.outcome(lists) == ["ours|0", "theirs|200"])
  }

  @Test func `rows that point to nothing follow a row that came again under that number`() throws {
    let scene = try MergeScene(
      "PRAGMA foreign_keys = OFF; CREATE TABLE p(id INTEGER PRIMARY KEY, name UNIQUE); "
        + "INSERT INTO p VALUES(5, 'x'); CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES p, v, w, UNIQUE(p, v)); "
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
        + "INSERT INTO c SELECT i, 99, i, 0 FROM n",
      ours: "DELETE FROM p; INSERT INTO p VALUES(99, 'x'); UPDATE c SET w = 'new'",
      theirs: "INSERT INTO c VALUES(700, 5, 0, 0)")
    _ = try scene.outcome("SELECT c.id, name, v, w FROM c LEFT JOIN p ON p = p.id ORDER BY 1")
  }

  @Test(arguments: TableRule.allCases) func `every rule decides alike`(rule: TableRule) throws {
    var scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a = 1, c = 'ours'; DELETE FROM t WHERE id > 180",
      theirs: "UPDATE t SET c = 'theirs' WHERE id > 5; INSERT INTO t(id, c) VALUES(201, 'x')")
    scene.options.rules = ["t": rule]
    _ = try scene.merge()
  }

  @Test func `a report lists so many rows and counts the others`() throws {
    var scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET c = 'ours'; UPDATE t SET a = 0 WHERE id <= 50",
      theirs: "UPDATE t SET c = 'theirs' WHERE id > 50; UPDATE t SET b = 0 WHERE id <= 50")
    scene.options.listed = 10
    let table = try scene.merge().report.tables[0]
    #expect(table.together.count == 10 && table.decided.count == 10)
    #expect(table.unlisted.together == 40 && table.unlisted.byClock == 140)
    #expect(table.converged == 50)
  }

  @Test func `rows come back from their bytes as they were`() {
    let values: [CellValue] = [
      .null, .integer(.min), .real(-0.0), .text([0, 255]), .blob([]), .text("x"), .real(.infinity),
    ]
    var new = values
    new[1] = .null
    new[4] = .blob([1, 2, 3])
    var bytes = RowBytes()
    bytes.append(.updated, RowPlace(7), old: values, new: new)
    bytes.append(.inserted, RowPlace([.text("k"), .real(2)]), old: nil, new: new)
    bytes.append(.deleted, RowPlace(-1), old: values, new: nil)
    var offset = 0
    let rows = (0..<3).map { _ in bytes.read(&offset) }
    let changes = rows.map { $0?.change }
    #expect(changes[0]?.base?.cells == values && changes[0]?.row?.cells == new)
    #expect(changes[0]?.base?.rowid == 7 && rows[1]?.place.key == [.text("k"), .real(2)])
    #expect(changes[1]?.base == nil && changes[1]?.row?.cells == new)
    #expect(changes[1]?.row?.rowid == nil && changes[2]?.base?.rowid == -1)
    #expect(changes[2]?.base?.cells == values && changes[2]?.row == nil)
    #expect(offset == bytes.bytes.count)
  }
}
