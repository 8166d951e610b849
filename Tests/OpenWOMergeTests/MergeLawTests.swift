import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

@Suite struct MergeLawTests {
  private func scene(_ seed: Int) throws -> (MergeScene, [String]) {
    let scratch = try Scratch()
    var history = RandomHistory(seed: UInt64(seed))
    let base = try scratch.database()
    try history.create(base)
    let (ours, theirs) = (try scratch.copy(base), try scratch.copy(base))
    try history.write(ours, by: "ours")
    try history.write(theirs, by: "theirs")
    var scene = MergeScene(scratch, base, ours, theirs)
    scene.options.first = history.random.pick([.ours, .theirs])
    scene.options.times = Sides(
      ours: Int64(history.random.below(3)), theirs: Int64(history.random.below(3)))
    return (scene, history.tables + ["pair"])
  }

  private func equal(_ a: TestDatabase, _ b: TestDatabase) throws -> Bool {
    try difference(from: a.connection, to: b.connection).equal
  }

  @Test(arguments: 0..<60)
  func `both devices get the same rows, with every foreign key in place`(seed: Int) throws {
    let (scene, _) = try scene(seed)
    do {
      let mine = try scene.merge().result
      #expect(try mine.connection.foreignKeyViolations().isEmpty)
      #expect(try equal(mine, scene.mirrored.merge().result))
    } catch let refusal as MergeRefusal {
      #expect(!refusal.rows.isEmpty && refusal.reason.contains("UNIQUE"), "\(refusal)")
      #expect(throws: MergeRefusal.self) { try scene.mirrored.merge() }
    }
  }

  @Test(arguments: 0..<20)
  func `no row that a side made disappears, and it keeps its parent`(seed: Int) throws {
    let (scene, tables) = try scene(seed)
    guard let result = try? scene.merge().result else { return }
    for table in tables where table != "pair" {
      let parent = try result.cells("PRAGMA foreign_key_list(\(table))")[0][2].string ?? ""
      let hasUnique = try result.cells("PRAGMA index_list(\(table))").count > 0
      let parentHasUnique = try result.cells("PRAGMA index_list(\(parent))").count > 0
      let query = "SELECT c.mark, p.mark FROM \(table) c LEFT JOIN \(parent) p ON p.id = c.up"
      let merged = Dictionary(
        try result.cells(query).map { ($0[0], $0[1]) }, uniquingKeysWith: { a, _ in a })
      if hasUnique { continue }
      for (side, name) in [(scene.ours, "ours"), (scene.theirs, "theirs")] {
        for row in try side.cells(query) where row[0].string?.hasPrefix(name) ?? false {
          let found = try #require(merged[row[0]], "\(table) \(row)")
          if !parentHasUnique { #expect(found == row[1], "\(table) \(row)") }
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `a database merged with itself stays what it is`(seed: Int) throws {
    let (scene, _) = try scene(seed)
    for one in [scene.base, scene.ours, scene.theirs] {
      let result = try MergeScene(scene.scratch, one, one, one).merge()
      #expect(try equal(result.result, one))
      #expect(result.report.tables.isEmpty)
    }
  }

  @Test(arguments: 0..<20)
  func `merging with what did not change gives the other side`(seed: Int) throws {
    let (scene, _) = try scene(seed)
    for (ours, theirs, expected) in [
      (scene.ours, scene.base, scene.ours), (scene.base, scene.theirs, scene.theirs),
      (scene.ours, scene.ours, scene.ours),
    ] {
      var again = MergeScene(scene.scratch, scene.base, ours, theirs)
      again.options = scene.options
      #expect(try equal(again.merge().result, expected))
    }
  }
}
