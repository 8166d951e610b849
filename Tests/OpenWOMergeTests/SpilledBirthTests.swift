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

  @Test(arguments: 0..<60) func `whatever both sides did, it is decided alike`(seed: Int) throws {
    var chance = Chance(seed)
    let columns = chance.pick([
      "id INTEGER PRIMARY KEY, a, b", "id INTEGER PRIMARY KEY AUTOINCREMENT, a, b",
      "id INTEGER PRIMARY KEY, a UNIQUE, b", "id INTEGER PRIMARY KEY, a, modifiedAt",
      "id TEXT PRIMARY KEY, a, b", "id INT, a, b, PRIMARY KEY(id)) WITHOUT ROWID; SELECT (1",
      "id PRIMARY KEY, a UNIQUE, b", "id INTEGER PRIMARY KEY, a, b, UNIQUE(id, a)",
    ])
    let schema =
      "CREATE TABLE t(\(columns)); INSERT INTO t VALUES "
      + (1...8).map { "(\($0), 'a\($0)', \($0))" }.joined(separator: ", ")
    var scene = try MergeScene(
      schema, ours: Self.edits(&chance, "o", columns), theirs: Self.edits(&chance, "t", columns))
    scene.options.rules = ["t": chance.pick(TableRule.allCases)]
    scene.options.keepsDeleted = chance.next(4) == 0
    _ = try? scene.outcome("SELECT * FROM t ORDER BY id")
    do { _ = try scene.merge() } catch is MergeRefusal {}
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
