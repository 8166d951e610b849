import Corpora
import OpenWOTestSupport
import Testing

@testable import OpenWO

/// Names made to do harm: random bytes among the pieces of real names, and endless repetitions of them.
struct HostileNameTests {
  private static let pieces =
    KnownName.documented.map(\.name) + [
      " (", ")", "conflict", "2026-11-21", "-", ".", "(", "((((", "\u{301}", "競合", ".sqlite",
      "-journal", "~", "workouts", " 2", ".Conflict", "a-", "\u{0}", "\r\n",
    ]
  private static let databases = [
    "workouts.sqlite", "", ".", "..", "a", "-", "conflict", "w.x.y.z", "e\u{301}.db",
  ]

  @Test func `no bytes trap, and no copy is passed over`() throws {
    var random = SeededRandom(seed: 20_261_121)
    let recognisers = Self.databases.map {
      (Array($0.utf8), NameRecogniser(database: Array($0.utf8), others: [[0xFF], []]))
    }
    for _ in 0..<4_000 {
      let (database, recogniser) = try #require(recognisers.randomElement(using: &random))
      let name = Self.randomName(&random)
      switch recogniser.sibling(name) {
      case .conflictedCopy, .staging: #expect(NameRecogniser.mayConcern(database)(name))
      default: break
      }
    }
  }

  @Test(arguments: [
    "conflict2026-11-21", "-a", " (", ")", ".", "(a", " 2", ".Conflict", "--", "conflict",
    " (conflict2026-11-21",
  ])
  func `no repetition takes long`(unit: String) {
    let recogniser = NameRecogniser(database: Array("workouts.sqlite".utf8))
    let name = "workouts" + String(repeating: unit, count: 1000 / unit.utf8.count)
    let time = ContinuousClock().measure {
      _ = recogniser.sibling(Array(name.utf8.prefix(1017)) + Array(".sqlite".utf8))
    }
    #expect(time < .seconds(5))
  }

  private static func randomName(_ random: inout SeededRandom) -> [UInt8] {
    var name: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      name += Array((pieces.randomElement(using: &random) ?? "").utf8)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) where !name.isEmpty {
      let place = Int.random(in: 0..<name.count, using: &random)
      name[place] = UInt8.random(in: 0...255, using: &random)
    }
    return name
  }
}
