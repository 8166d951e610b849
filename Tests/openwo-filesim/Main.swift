import Foundation
import OpenWOFileSimulator

/// `openwo-filesim`: real stores and real SQLite, and a service that moves real files between them.
@main
struct Main {
  private static let usage = """
    openwo-filesim [--steps N] [--length N] [--seed N] [--threads N] [--most N]
    openwo-filesim --play N [--length N]

      --steps N    how many steps in all; 30000 if left out
      --length N   steps in a run; 100 if left out
      --seed N     the first run's seed; 1 if left out
      --threads N  how many runs at once; 2 if left out
      --most N     after how many runs that went wrong to stop; 1 if left out
      --play N     plays the run of one seed, shrinks it if it goes wrong, and tells what happens
    """

  static func main() {
    var values: [String: Int] = [:]
    var rest = Array(CommandLine.arguments.dropFirst())[...]
    let names: Set = ["steps", "length", "seed", "threads", "most", "play"]
    while let word = rest.popFirst() {
      let name = String(word.dropFirst(2))
      guard word.hasPrefix("--"), names.contains(name),
        let value = rest.popFirst().flatMap(Int.init)
      else {
        print(usage)
        exit(64)
      }
      values[name] = value
    }
    var campaign = Campaign()
    campaign.steps = values["steps"] ?? campaign.steps
    campaign.length = max(1, values["length"] ?? campaign.length)
    campaign.seed = UInt64(values["seed"] ?? 1)
    campaign.threads = max(1, values["threads"] ?? campaign.threads)
    if let seed = values["play"] {
      report(UInt64(seed), campaign.length)
    } else {
      play(campaign, most: values["most"] ?? 1)
    }
  }

  private static func play(_ campaign: Campaign, most: Int) {
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = campaign.outcome(atMost: most)
    let seconds = (clock.now - start) / .seconds(1)
    print(
      "\(outcome.steps) steps in \(outcome.runs) runs, \(outcome.findings.count) violations, \(Int(seconds)) s"
    )
    guard let first = outcome.findings.first else { return }
    for (seed, violation) in outcome.findings { print("VIOLATION seed \(seed): \(violation)") }
    if most == 1 { report(first.seed, campaign.length) }
    exit(1)
  }

  private static func report(_ seed: UInt64, _ length: Int) {
    let run = Run(seed: seed, length: length).shrunk()
    print(run)
    for line in run.story() { print("  \(line)") }
    print(run.violation() ?? "nothing is wrong")
  }
}
