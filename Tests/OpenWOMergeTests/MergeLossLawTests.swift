import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

/// Nothing that exactly one side wrote is missing in a result, whatever sides do to columns and rowids.
struct MergeLossLawTests {
  private typealias Row = [String: CellValue]

  /// The rows by mark; several have one mark if both sides' rows were kept.
  private func rows(_ database: TestDatabase) throws -> [CellValue: [Row]] {
    let names = try database.cells("SELECT name FROM pragma_table_info('t')").compactMap(
      \.[0].string
    )
    .filter { $0 != "id" }
    let all = try database.cells("SELECT \(names.joined(separator: ", ")) FROM t").map {
      Row(uniqueKeysWithValues: zip(names, $0))
    }
    return Dictionary(grouping: all) { $0["mark"] ?? .null }
  }

  /// The cells that a side wrote: those that differ from the base, or from the default of a column
  /// that it lacks.
  private func written(_ row: Row, _ before: Row?, _ defaults: Row) -> Row {
    row.filter { name, value in
      let old = before?[name] ?? (name == "c" ? before?["a"] : nil)
      return value != (old ?? defaults[name] ?? .null)
    }
  }

  private func defaults(_ database: TestDatabase, _ scratch: Scratch) throws -> Row {
    let copy = try scratch.database(
      database.cells("SELECT sql FROM sqlite_schema WHERE name = 't'")[0][0].string ?? "")
    try copy.script("INSERT INTO t(mark) VALUES ('0')")
    return try rows(copy)[.text("0")]?[0] ?? [:]
  }

  @Test(arguments: 0..<400)
  func `the result has what one side alone wrote, or the merge is refused`(seed: Int) throws {
    let scratch = try Scratch()
    var migration = RandomMigration(seed: seed)
    let base = try scratch.database()
    try migration.create(base)
    let (ours, theirs) = (try scratch.copy(base), try scratch.copy(base))
    try migration.write(ours, by: "ours")
    try migration.write(theirs, by: "theirs")
    var scene = MergeScene(scratch, base, ours, theirs)
    scene.options.first = migration.random.pick([.ours, .theirs])
    do {
      let merged = try scene.merge()
      #expect(
        try difference(
          from: merged.result.connection, to: scene.mirrored.merge().result.connection
        ).equal)
      try check(scene, rows(merged.result), merged.report)
    } catch is MergeRefusal {
      #expect(migration.losesColumn)
    }
  }

  private func check(
    _ scene: MergeScene, _ result: [CellValue: [Row]], _ report: MergeReport
  ) throws {
    let before = try rows(scene.base)
    let sides = Sides(ours: try rows(scene.ours), theirs: try rows(scene.theirs))
    let defaults = Sides(
      ours: try defaults(scene.ours, scene.scratch),
      theirs: try defaults(scene.theirs, scene.scratch))
    let decided = report.tables.flatMap(\.decided)
    for mark in Set(before.keys).union(sides.ours.keys).union(sides.theirs.keys) {
      let base = before[mark]?[0]
      let wrote = Sides(
        ours: sides.ours[mark].map { written($0[0], base, defaults.ours) },
        theirs: sides.theirs[mark].map { written($0[0], base, defaults.theirs) })
      let found = result[mark] ?? []
      let isGone =
        [wrote.ours, wrote.theirs].allSatisfy { $0 == nil || base != nil && $0 == [:] }
        && (wrote.ours == nil || wrote.theirs == nil)
      let isFilled = found.isEmpty && decided.contains { $0.reason == .fillsColumn }
      #expect(found.isEmpty == isGone || isFilled, "\(mark)")
      if isFilled { continue }
      for side in MergeSide.allCases {
        for (name, value) in wrote[side] ?? [:] {
          let isContested =
            wrote[side.other]?[name] != nil && !decided.isEmpty
            || decided.contains { decision in
              // A row without a key that one side changed and the other one filled is told as lost.
              decision.reason == .fillsColumn
                && decision.lost.contains { $0.column == name && $0.value == value }
            }
          #expect(
            isContested || found.contains { $0[name] == value }, "\(mark) \(name) of \(side)")
        }
      }
      guard wrote.ours == [:], wrote.theirs == [:], let base else { continue }
      #expect(found.count == 1)
      for (name, value) in base { #expect(found[0][name] ?? value == value, "\(mark) \(name)") }
    }
  }

  @Test(arguments: 0..<100)
  func `equal rows without a key are counted, whoever runs VACUUM`(seed: Int) throws {
    let scratch = try Scratch()
    var random = SeededRandom(seed: UInt64(seed))
    let base = try scratch.database("CREATE TABLE t(v)")
    func value() -> CellValue { .integer(Int64(random.below(6))) }
    for _ in 0..<random.below(20) { try base.run("INSERT INTO t VALUES(?)", value()) }
    func side() throws -> TestDatabase {
      let side = try scratch.copy(base)
      for _ in 0..<random.below(5) {
        let some = "rowid = (SELECT rowid FROM t WHERE v = ? LIMIT 1)"
        switch random.below(4) {
        case 0: try side.run("INSERT INTO t VALUES(?)", value())
        case 1: try side.run("UPDATE t SET v = ? WHERE \(some)", value(), value())
        case 2: try side.run("DELETE FROM t WHERE \(some)", value())
        default: try side.script("VACUUM")
        }
      }
      return side
    }
    let scene = MergeScene(scratch, base, try side(), try side())
    let (result, report) = try scene.merge()
    guard report.tables.flatMap(\.decided).isEmpty else { return }
    for v in 0..<6 {
      let counts = try [scene.base, scene.ours, scene.theirs, result].map {
        try $0.cells("SELECT count(*) FROM t WHERE v = \(v)")[0][0].int ?? 0
      }
      if counts[0] == counts[1] { #expect(counts[3] == counts[2], "\(v) \(counts)") }
      if counts[0] == counts[2] { #expect(counts[3] == counts[1], "\(v) \(counts)") }
      #expect(counts[3] >= min(counts[1], counts[2]), "\(v) \(counts)")
    }
  }
}
