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
    let isSilent = reportSilence(result, options.campaign)
    guard let finding = result.finding else { exit(isSilent ? 1 : 0) }
    report(finding, options.campaign.fault)
    exit(options.campaign.fault == nil ? 1 : 0)
  }

  /// Says in how many runs each check that does not always apply did so.
  ///
  /// - Returns: Whether one did in too few; in a few runs or a kind of them that says nothing.
  private static func reportSilence(_ result: Campaign.Result, _ campaign: Campaign) -> Bool {
    let isUsual = campaign.kind == nil && campaign.fault == nil && campaign.length == 150
    var isSilent = false
    let figures = ConditionalCheck.allCases.map { check in
      let count = result.applied[check] ?? 0
      let isTooRare = count * 1000 < check.leastOfThousand * campaign.runs
      guard isTooRare, isUsual, campaign.runs >= 1000, result.finding == nil else {
        return "\(check) \(count)"
      }
      isSilent = true
      return "\(check) \(count): TOO RARE"
    }
    print("runs in which a check applied: \(figures.joined(separator: ", "))")
    return isSilent
  }

  private static func report(_ finding: Campaign.Finding, _ fault: Fault?) {
    print("run \(finding.number) breaks \(finding.violation)")
    let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
    print(TestCase(shrunk, fault: fault))
  }

  /// A bug that takes more actions than this to show is not understood.
  private static let mostActions = 30
  /// Some runs hide a bug among coincidences and cannot be shrunk, so this many runs are tried.
  private static let mostFindings = 8

  private static func faults(_ options: Options) {
    var isComplete = true
    for fault in Fault.allCases where options.campaign.fault ?? fault == fault {
      var campaign = options.campaign
      campaign.fault = fault
      campaign.runs = min(campaign.runs, 20_000)
      isComplete = shows(fault, campaign) && isComplete
    }
    exit(isComplete ? 0 : 1)
  }

  /// Whether a bug is found, and shrunk far enough in one of the runs that show it.
  private static func shows(_ fault: Fault, _ campaign: Campaign) -> Bool {
    var shortest: (count: Int, finding: Campaign.Finding)?
    var first = 0
    for _ in 0..<mostFindings {
      guard let finding = campaign.result(from: first).finding else { break }
      first = finding.number + 1
      let shrunk = Shrinker(finding.run, fault: fault, rule: finding.violation.rule).shrunk()
      let count = shrunk.moves.count
      if count < shortest?.count ?? .max { shortest = (count, finding) }
      if count <= mostActions { break }
    }
    guard let (count, finding) = shortest else {
      print("\(fault): NOT FOUND in \(campaign.runs) runs")
      return false
    }
    let rule = finding.violation.rule.rawValue
    let verdict = count <= mostActions ? "" : ": NOT SHRUNK to \(mostActions)"
    print("\(fault): \(rule) in run \(finding.number), \(count) actions\(verdict)")
    return count <= mostActions
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
