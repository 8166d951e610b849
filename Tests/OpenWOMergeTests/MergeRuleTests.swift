import Testing

@testable import OpenWOMerge

@Suite struct MergeRuleTests {
  private func scene(
    _ rule: TableRule, _ rows: String, ours: String, theirs: String
  ) throws -> MergeScene {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, updatedAt); INSERT INTO t VALUES \(rows)",
      ours: ours, theirs: theirs)
    scene.options.rules = ["T": rule]
    return scene
  }

  private static let ours = "UPDATE t SET a='o', updatedAt=9"
  private static let theirs = "UPDATE t SET b='t', updatedAt=5"

  @Test func `newest takes the whole row of the later writer`() throws {
    let scene = try scene(.newest, "(1,0,0,0)", ours: Self.ours, theirs: Self.theirs)
    #expect(try scene.outcome("SELECT * FROM t") == ["1|o|0|9"])
  }

  @Test(arguments: [(TableRule.ours, "1|o|0|9"), (.theirs, "1|0|t|5")])
  func `ours and theirs take the whole row of that side`(rule: TableRule, row: String) throws {
    let scene = try scene(rule, "(1,0,0,0)", ours: Self.ours, theirs: Self.theirs)
    let (result, report) = try scene.merge()
    #expect(try result.lines("SELECT * FROM t") == [row])
    #expect(report.tables[0].decided.map(\.reason) == [.rule(rule)])
  }

  @Test func `the rule theirs prefers their delete to our update`() throws {
    let scene = try scene(.theirs, "(1,0,0,0)", ours: Self.ours, theirs: "DELETE FROM t")
    #expect(try scene.merge().result.lines("SELECT * FROM t") == [])
  }

  @Test func `union lets a row go only when both deleted it`() throws {
    let scene = try scene(
      .union, "(1,0,0,0),(2,0,0,0),(3,0,0,0)", ours: "DELETE FROM t WHERE id < 3",
      theirs: "DELETE FROM t WHERE id > 1")
    #expect(try scene.outcome("SELECT id FROM t") == ["1", "3"])
  }

  @Test func `a singleton comes from the side that wrote it last`() throws {
    let scene = try scene(.singleton, "(1,0,0,0)", ours: Self.ours, theirs: Self.theirs)
    #expect(try scene.outcome("SELECT * FROM t") == ["1|o|0|9"])
    let made = try MergeScene(
      "CREATE TABLE s(id INTEGER PRIMARY KEY, v, updatedAt)",
      ours: "INSERT INTO s VALUES (1,'o',1)",
      theirs: "INSERT INTO s VALUES (1,'t',2)")
    var singleton = made
    singleton.options.rules = ["s": .singleton]
    #expect(try singleton.outcome("SELECT * FROM s") == ["1|t|2"])
  }
}

/// What a report says of the values that are not in the result.
struct LostCellTests {
  private static let schema =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, name UNIQUE, a, b); INSERT INTO t VALUES(1,'x',1,1)"

  @Test func `a cell that gave way is in the report`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a='ours'", theirs: "UPDATE t SET a='theirs', b=2")
    let decided = try scene.merge().report.tables.flatMap(\.decided)
    #expect(decided.map(\.lost) == [[MergeDecision.LostCell(column: "a", value: .text("ours"))]])
  }

  @Test func `of a row that became one with another the whole row is in the report`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "INSERT INTO t VALUES(2,'new','ours',5)",
      theirs: "INSERT INTO t VALUES(3,'new','theirs',5)")
    let decided = try scene.merge().report.tables.flatMap(\.decided)
    #expect(decided.flatMap(\.lost).contains { $0 == .init(column: "a", value: .text("ours")) })
  }

  @Test func `a row with cells of both is named with the columns of each`() throws {
    let scene = try MergeScene(
      Self.schema, ours: "UPDATE t SET a='ours'", theirs: "UPDATE t SET b='theirs'")
    let joined = try scene.merge().report.tables.flatMap(\.together)
    #expect(
      joined == [
        MergedTable.JoinedRow(key: [.integer(1)], columns: Sides(ours: ["a"], theirs: ["b"]))
      ])
  }
}
