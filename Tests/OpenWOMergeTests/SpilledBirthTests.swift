import Testing

@testable import OpenWOMerge

/// Merges of very many inserted, deleted and rewritten rows; ``MergeScene`` holds each against the one in memory.
struct SpilledBirthTests {
  private static func schema(_ columns: String) -> String {
    "CREATE TABLE t(\(columns)); "
      + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) "
      + "INSERT INTO t SELECT i, 'a' || i, 'b' || i FROM n"
  }

  private static let numbered = schema("id INTEGER PRIMARY KEY, a, b")

  private static func inserts(_ word: String, _ count: Int = 50) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
      + "INSERT INTO t(a, b) SELECT '\(word)' || i, i FROM n; "
  }

  /// How many changes of each side are decided one at a time.
  private func plain(_ scene: MergeScene) throws -> Sides<Int>? {
    try scene.spilling { try scene.plan($0).tables["t"]?.plain?.counts }
  }

  @Test func `new rows of both sides under one number are decided one at a time`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: Self.inserts("x"), theirs: Self.inserts("y", 60))
    #expect(try plain(scene) == Sides(ours: 50, theirs: 60))
    #expect(try scene.outcome("SELECT count(*), max(id) FROM t") == ["210|210"])
    let report = try scene.merge().report
    #expect(report.tables[0].renumbered.count == 50 && report.tables[0].fromOurs == 50)
    #expect(report.numbers["t"]?.count { $0.to != nil } == 50)
  }

  @Test func `a report lists so many rows with other numbers and counts the others`() throws {
    var scene = try MergeScene(
      Self.numbered, ours: Self.inserts("x") + Self.inserts("same"),
      theirs: Self.inserts("y") + Self.inserts("same"))
    scene.options.listed = 10
    let table = try scene.merge().report.tables[0]
    #expect(table.renumbered.count == 10 && table.unlisted.renumbered == 40)
    #expect(table.same.count == 10 && table.unlisted.same == 40)
  }

  /// To SQLite 1 and 1.0 are one key.
  @Test(arguments: [false, true])
  func `a key that became a real is the same row`(isOurs: Bool) throws {
    let edits = ("UPDATE t SET a = 'new'", "UPDATE t SET id = id * 1.0")
    let scene = try MergeScene(
      Self.schema("id PRIMARY KEY, a, b"), ours: isOurs ? edits.1 : edits.0,
      theirs: isOurs ? edits.0 : edits.1)
    #expect(
      try scene.outcome("SELECT count(*), min(a), max(a), min(typeof(id)) FROM t")
        == ["100|new|new|real"])
  }

  @Test func `new rows under a number and the same as a real are one row`() throws {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 500 UNION ALL SELECT i + 1 FROM n WHERE i < 550) "
    let scene = try MergeScene(
      Self.schema("id PRIMARY KEY, a, b"), ours: numbers + "INSERT INTO t SELECT i, 'x', 1 FROM n",
      theirs: numbers + "INSERT INTO t SELECT i * 1.0, 'y', 1 FROM n")
    #expect(try scene.outcome("SELECT count(*) FROM t") == ["151"])
  }

  @Test func `a row that comes back in another case keeps those that point to it`() throws {
    let more = "UPDATE t SET a = 'new' WHERE a <> 'a1'; "
    let scene = try MergeScene(
      "CREATE TABLE t(id TEXT PRIMARY KEY, a); CREATE UNIQUE INDEX u ON t(id COLLATE NOCASE); "
        + "CREATE TABLE note(id INTEGER PRIMARY KEY, t REFERENCES t ON UPDATE CASCADE); "
        + "INSERT INTO t VALUES('work', 'a1'), ('b', 'b1'), ('c', 'c1')",
      ours: more + "UPDATE t SET id = 'Work' WHERE id = 'work'",
      theirs: "INSERT INTO note(t) VALUES('work')")
    #expect(try scene.outcome("SELECT count(*) FROM t") == ["3"])
  }

  @Test func `a merge in which both did the same writes nothing, and triggers stay as they are`()
    throws
  {
    let same = "UPDATE t SET a = 'same'"
    let scene = try MergeScene(
      Self.numbered + "; CREATE TRIGGER g AFTER UPDATE ON t BEGIN SELECT 1; END", ours: same,
      theirs: same)
    let before = try scene.ours.cells("PRAGMA schema_version")
    let merged = try scene.spilling { try scene.merge($0) }.result
    #expect(try merged.cells("PRAGMA schema_version") == before)
  }

  @Test func `deleted rows are decided one at a time, and stay where the other side wrote`() throws
  {
    let scene = try MergeScene(
      Self.numbered, ours: "DELETE FROM t WHERE id <= 60",
      theirs: "UPDATE t SET a = 'new' WHERE id > 50; DELETE FROM t WHERE id <= 10")
    #expect(try plain(scene) == Sides(ours: 60, theirs: 60))
    #expect(try scene.outcome("SELECT count(*) FROM t") == ["50"])
  }

  @Test func `rows of which no cell is left are updates if a row behind them is left`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: "UPDATE t SET a = 'x', b = 'y' WHERE id < 100",
      theirs: "UPDATE t SET a = a || 'z', b = b || 'z' WHERE id < 100")
    #expect(try plain(scene) == Sides(ours: 99, theirs: 99))
    #expect(try scene.outcome("SELECT count(*), max(id) FROM t") == ["100|100"])
  }

  @Test func `rows of which no cell is left are others if none behind them is left`() throws {
    let scene = try MergeScene(
      Self.numbered, ours: "UPDATE t SET a = 'x' || id, b = 'y'",
      theirs: "UPDATE t SET a = a || 'z' WHERE id > 50; UPDATE t SET b = 'w' WHERE id > 80")
    #expect(try plain(scene) == Sides(ours: 200, theirs: 70))
    #expect(try scene.outcome("SELECT count(*) FROM t") == ["150"])
  }

  @Test func `new rows that a unique value makes one come into memory`() throws {
    let scene = try MergeScene(
      Self.schema("id INTEGER PRIMARY KEY, a UNIQUE, b"),
      ours: Self.inserts("x") + "INSERT INTO t VALUES(200, 'one', 1), (300, 'two', 2)",
      theirs: Self.inserts("y") + "INSERT INTO t VALUES(300, 'one', 1), (200, 'other', 2)")
    #expect(try plain(scene) == Sides(ours: 50, theirs: 50))
    #expect(
      try scene.outcome("SELECT count(*), sum(a = 'one'), sum(a = 'two') FROM t") == ["203|1|1"])
  }

  @Test(arguments: [
    "id TEXT PRIMARY KEY, a, b", "id TEXT, a, b, PRIMARY KEY(id)) WITHOUT ROWID; SELECT (1",
  ])
  func `rows with a key of text are decided one at a time`(columns: String) throws {
    let scene = try MergeScene(
      Self.schema(columns),
      ours: "UPDATE t SET a = 'ours' WHERE id > 2; DELETE FROM t WHERE b = 'b1'; "
        + "INSERT INTO t VALUES('new', 'a', 'b'), ('o', 1, 2)",
      theirs: "UPDATE t SET b = 'theirs'; INSERT INTO t VALUES('new', 'a', 'b'), ('t', 1, 2)")
    let plain = try plain(scene)
    #expect(plain?.ours ?? 0 > 80 && plain?.theirs == 102)
    #expect(try scene.outcome("SELECT count(*), sum(b = 'theirs') FROM t") == ["103|100"])
  }

  private static let family =
    "CREATE TABLE p(id INTEGER PRIMARY KEY, name UNIQUE, x); CREATE TABLE t(id INTEGER PRIMARY KEY, "
    + "p REFERENCES p ON DELETE CASCADE, a, UNIQUE(p, a)); "
    + "INSERT INTO p VALUES(1, 'one', 1), (2, 'two', 2), (3, 'three', 3); "
    + "INSERT INTO t VALUES(1, 1, 'a'), (2, 2, 'a'), (3, 3, 'a'), (4, 3, 'b')"

  @Test func `new rows follow the rows that they point to, one at a time`() throws {
    func rows(_ word: String) -> String {
      "INSERT INTO p(name, x) VALUES('\(word)', 1), ('2 \(word)', 2); "
        + "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) "
        + "INSERT INTO t(p, a) SELECT 4 + i % 2, '\(word)' || i FROM n"
    }
    let scene = try MergeScene(Self.family, ours: rows("x"), theirs: rows("y"))
    #expect(try plain(scene) == Sides(ours: 50, theirs: 50))
    #expect(
      try scene.outcome(
        "SELECT count(*) FROM t JOIN p ON p.id = t.p WHERE substr(a, 1, 1) = "
          + "substr(name, -1)") == ["100"])
  }

  @Test(arguments: 0..<60) func `whatever both sides did to rows that point to others, it is alike`(
    seed: Int
  ) throws {
    var chance = Chance(seed + 1000)
    var scene = try MergeScene(
      Self.family, ours: Self.edits(&chance), theirs: Self.edits(&chance))
    scene.options.rules = ["t": chance.pick(TableRule.allCases)]
    scene.options.keepsDeleted = chance.next(4) == 0
    do {
      _ = try scene.merge()
      _ = try scene.mirrored.merge()
    } catch is MergeRefusal {}
  }

  private static func edits(_ chance: inout Chance) -> String {
    (0..<chance.next(8)).map { _ in
      let (id, parent) = (1 + chance.next(9), 1 + chance.next(6))
      switch chance.next(8) {
      case 0: return "UPDATE OR IGNORE t SET a = 'u\(chance.next(3))' WHERE id = \(id);"
      case 1:
        return
          "UPDATE OR IGNORE t SET p = ifnull((SELECT id FROM p WHERE id = \(parent)), p) WHERE id = \(id);"
      case 2: return "UPDATE p SET x = \(chance.next(5)) WHERE id = \(parent);"
      case 3: return "DELETE FROM t WHERE id = \(id);"
      case 4: return "DELETE FROM t WHERE p = \(parent); DELETE FROM p WHERE id = \(parent);"
      case 5: return "INSERT OR IGNORE INTO p(name, x) VALUES('n\(chance.next(4))', 1);"
      default:
        return "INSERT OR IGNORE INTO t(p, a) SELECT max(id), 'i\(chance.next(6))' FROM p;"
      }
    }.joined(separator: " ")
  }

  @Test func `rows without a key are decided one at a time`() throws {
    let schema =
      "CREATE TABLE t(a, b); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
      + "WHERE i < 100) INSERT INTO t SELECT 'a' || i, i FROM n"
    let scene = try MergeScene(
      schema, ours: "UPDATE t SET a = 'ours' || b WHERE b < 90; INSERT INTO t VALUES('o', 1)",
      theirs: "UPDATE t SET b = b + 1000 WHERE b < 80; INSERT INTO t VALUES('t', 1)")
    #expect(try plain(scene) == Sides(ours: 90, theirs: 80))
    #expect(
      try scene.outcome("SELECT count(*), sum(a LIKE 'ours%' AND b > 1000) FROM t") == ["102|79"])
    let other = try MergeScene(
      schema, ours: "UPDATE t SET a = 'x' WHERE b > 50",
      theirs: "UPDATE t SET b = b + 1000 WHERE b < 50; DELETE FROM t WHERE rowid < 5; VACUUM")
    #expect(try other.outcome("SELECT count(*) FROM t") == ["96"])
  }

  @Test(arguments: 0..<60) func `whatever both sides did, it is decided alike`(seed: Int) throws {
    var chance = Chance(seed)
    let columns = chance.pick([
      "id INTEGER PRIMARY KEY, a, b", "id INTEGER PRIMARY KEY AUTOINCREMENT, a, b",
      "id INTEGER PRIMARY KEY, a UNIQUE, b", "id INTEGER PRIMARY KEY, a, modifiedAt",
      "id TEXT PRIMARY KEY, a, b", "id INT, a, b, PRIMARY KEY(id)) WITHOUT ROWID; SELECT (1",
      "id PRIMARY KEY, a UNIQUE, b", "id, a, b", "id INTEGER PRIMARY KEY, a, b, UNIQUE(id, a)",
    ])
    let schema =
      "CREATE TABLE t(\(columns)); INSERT INTO t VALUES "
      + (1...8).map { "(\($0), 'a\($0)', \($0))" }.joined(separator: ", ")
    var scene = try MergeScene(
      schema, ours: Self.edits(&chance, "o", columns), theirs: Self.edits(&chance, "t", columns))
    scene.options.rules = ["t": chance.pick(TableRule.allCases)]
    scene.options.keepsDeleted = chance.next(4) == 0
    do {
      _ = try scene.merge()
      _ = try scene.mirrored.merge()
    } catch is MergeRefusal {}
  }

  private static func edits(_ chance: inout Chance, _ word: String, _ columns: String) -> String {
    let last = columns.contains("modifiedAt") ? "modifiedAt" : "b"
    let isNumbered = columns.contains("INTEGER PRIMARY KEY")
    return (0..<chance.next(8)).map { turn in
      let id = 1 + chance.next(14)
      let value = chance.pick(["'\(word)\(turn)'", "'s\(chance.next(3))'", "\(chance.next(4))"])
      switch chance.next(7) {
      case 0: return "UPDATE OR IGNORE t SET a = \(value) WHERE id = \(id);"
      case 1: return "UPDATE OR IGNORE t SET \(last) = \(value) WHERE id = \(id);"
      case 2:
        return "UPDATE OR IGNORE t SET a = \(value), \(last) = 'r' || \(value) WHERE id >= \(id);"
      case 3: return "DELETE FROM t WHERE id = \(id);"
      case 4: return "DELETE FROM t WHERE id >= \(id);"
      case 5 where isNumbered:
        return "INSERT OR IGNORE INTO t(a, \(last)) VALUES(\(value), \(chance.next(3)));"
      default:
        return "INSERT OR IGNORE INTO t VALUES(\(id), \(value), \(chance.next(3)));"
      }
    }.joined(separator: " ")
  }

  /// Numbers that are the same in each run.
  private struct Chance {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[next(values.count)] }
  }
}
