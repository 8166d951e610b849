import OpenWOSimulator
import Testing

/// A taste of the planner simulator, quick enough for a debug build; the millions of actions and all seeded bugs are the work of
/// `openwo-simulate`, which `Tests/run` starts as it is released.
struct SimulatorTests {
  @Test(arguments: ServiceStyle.Kind.allCases)
  func `nothing is lost and all agree, whatever a service does`(kind: ServiceStyle.Kind) {
    let result = Campaign(seed: 20_261_121, runs: 40, kind: kind).result()
    guard let finding = result.finding else { return }
    let shrunk = Shrinker(finding.run, rule: finding.violation.rule).shrunk()
    Issue.record("\(finding.violation)\n\(TestCase(shrunk))")
  }

  @Test func `the same seed gives the same events`() {
    let campaign = Campaign(seed: 7, runs: 10)
    for number in 0..<campaign.runs {
      let run = campaign.run(number)
      #expect(run.outcome().events == run.outcome().events, "run \(number)")
    }
  }

  /// One bug of each family that shows at once.
  @Test(arguments: [
    Fault.adoptsTorn, .removesBeforeCapture, .settlesByArrival, .acknowledgesBeforeCapture, .force,
  ])
  func `a seeded bug is found and shrunk`(fault: Fault) throws {
    let campaign = Campaign(seed: 3, runs: 200, fault: fault)
    let finding = try #require(campaign.result().finding, "not found: \(fault)")
    let shrinker = Shrinker(finding.run, fault: fault, rule: finding.violation.rule)
    #expect(shrinker.shrunk().moves.count <= 30)
  }
}
