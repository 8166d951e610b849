import OpenWOSimulator

/// `openwo-simulate`: the long form of the planner simulator.
///
/// Without arguments it makes 20,000 runs; see `Options.usage` for what can be asked.
@main
struct Simulate {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(Options.usage)
      return
    }
    switch options.task {
    case .campaign: campaign(options)
    case .faults: faults(options)
    case .same: same(options)
    }
  }

  private static func campaign(_ options: Options) {
    let clock = ContinuousClock()
    let start = clock.now
    let result = options.campaign.result()
    let seconds = (clock.now - start) / .seconds(1)
    let speed = Int(Double(result.moves) / max(seconds, 0.001))
    print("\(result.moves) actions in \(seconds) s, \(speed) a second")
    if let finding = result.finding { report(finding, options.campaign.fault) }
  }

  private static func report(_ finding: Campaign.Finding, _ fault: Fault?) {
    print("run \(finding.runsBefore) breaks \(finding.violation)")
    let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
    print(TestCase(shrunk, fault: fault))
  }

  private static func faults(_ options: Options) {
    for fault in Fault.allCases where options.campaign.fault ?? fault == fault {
      var campaign = options.campaign
      campaign.fault = fault
      campaign.runs = min(campaign.runs, 5000)
      guard let finding = campaign.result().finding else {
        print("\(fault): NOT FOUND in \(campaign.runs) runs")
        continue
      }
      let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
      print(
        "\(fault): \(finding.violation.rule.rawValue) in run \(finding.runsBefore), \(shrunk.moves.count) actions"
      )
    }
  }

  private static func same(_ options: Options) {
    for number in 0..<options.campaign.runs {
      let run = options.campaign.run(number)
      guard run.outcome().events == run.outcome().events else {
        print("run \(number) differs from itself")
        return
      }
    }
    print("\(options.campaign.runs) runs, each the same twice")
  }
}
