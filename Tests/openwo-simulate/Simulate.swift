import Foundation
import OpenWOSimulator

/// `openwo-simulate`: the long form of the planner simulator.
///
/// Without arguments it makes 20,000 runs; see `Options.usage` for what can be asked. It ends with 1 when something was found that
/// should not be, or not found that should.
@main
struct Simulate {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(Options.usage)
      exit(64)
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
    guard let finding = result.finding else { return }
    report(finding, options.campaign.fault)
    exit(options.campaign.fault == nil ? 1 : 0)
  }

  private static func report(_ finding: Campaign.Finding, _ fault: Fault?) {
    print("run \(finding.runsBefore) breaks \(finding.violation)")
    let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
    print(TestCase(shrunk, fault: fault))
  }

  private static func faults(_ options: Options) {
    var isComplete = true
    for fault in Fault.allCases where options.campaign.fault ?? fault == fault {
      var campaign = options.campaign
      campaign.fault = fault
      campaign.runs = min(campaign.runs, 5000)
      guard let finding = campaign.result().finding else {
        print("\(fault): NOT FOUND in \(campaign.runs) runs")
        isComplete = false
        continue
      }
      let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
      print(
        "\(fault): \(finding.violation.rule.rawValue) in run \(finding.runsBefore), \(shrunk.moves.count) actions"
      )
      isComplete = isComplete && shrunk.moves.count <= 30
    }
    exit(isComplete ? 0 : 1)
  }

  private static func same(_ options: Options) {
    for number in 0..<options.campaign.runs {
      let run = options.campaign.run(number)
      guard run.outcome().events == run.outcome().events else {
        print("run \(number) differs from itself")
        exit(1)
      }
    }
    print("\(options.campaign.runs) runs, each the same twice")
  }
}
