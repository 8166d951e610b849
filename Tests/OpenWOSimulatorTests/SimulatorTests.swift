import OpenWOSimulator
import Testing

/// The planner in worlds of devices, services and mishaps; `openwo-simulate` is the long form.
struct SimulatorTests {
  /// A debug build makes a part of the runs, so that the whole suite stays quick.
  private static let share: Int = {
    var isDebug = false
    assert({ isDebug = true }() == ())
    return isDebug ? 20 : 1
  }()

  @Test(arguments: ServiceStyle.Kind.allCases)
  func `nothing is lost and all agree, whatever a service does`(kind: ServiceStyle.Kind) {
    let campaign = Campaign(seed: 20_261_121, runs: 4_000 / Self.share, kind: kind)
    let result = campaign.result()
    if let finding = result.finding { record(finding, nil) }
  }

  @Test func `the same seed gives the same events`() {
    let campaign = Campaign(seed: 7, runs: 1_000 / Self.share)
    for number in 0..<campaign.runs {
      let run = campaign.run(number)
      #expect(run.outcome().events == run.outcome().events, "run \(number)")
    }
  }

  @Test(arguments: Fault.allCases)
  func `a seeded bug is found and shrunk`(fault: Fault) throws {
    let campaign = Campaign(seed: 3, runs: 5_000, fault: fault)
    let finding = try #require(campaign.result().finding, "not found: \(fault)")
    let shrinker = Shrinker(finding.run, fault: fault, rule: finding.violation.rule)
    #expect(shrinker.shrunk().moves.count <= 30)
  }

  private func record(_ finding: Campaign.Finding, _ fault: Fault?) {
    let shrinker = Shrinker(finding.run, fault: fault, rule: finding.violation.rule)
    Issue.record("\(finding.violation)\n\(TestCase(shrinker.shrunk(), fault: fault))")
  }
}
