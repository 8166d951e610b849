/// Many runs, seed after seed, until something breaks.
package struct Campaign: Sendable {
  package var seed: UInt64
  package var runs: Int
  package var length: Int
  package var kind: ServiceStyle.Kind?
  package var fault: Fault?

  /// Plans a campaign.
  package init(
    seed: UInt64 = 1, runs: Int, length: Int = 150, kind: ServiceStyle.Kind? = nil,
    fault: Fault? = nil
  ) {
    (self.seed, self.runs, self.length) = (seed, runs, length)
    (self.kind, self.fault) = (kind, fault)
  }

  /// A finding of a campaign.
  package struct Finding: Sendable {
    /// The number of the run that was not clean.
    package var number: Int
    package var run: Run
    package var violation: Violation
  }

  /// The result of a campaign.
  package struct Result: Sendable {
    package var moves = 0
    /// In how many runs each of some checks did apply.
    package var applied: [ConditionalCheck: Int] = [:]
    package var finding: Finding?
  }

  /// Makes the runs, from a number on, until one is not clean.
  package func result(from first: Int = 0) -> Result {
    var result = Result()
    for number in first..<max(first, runs) {
      let run = run(number)
      let outcome = run.outcome(with: fault)
      result.moves += outcome.moveCount
      for check in outcome.applied { result.applied[check, default: 0] += 1 }
      if let violation = outcome.violation {
        result.finding = Finding(number: number, run: run, violation: violation)
        return result
      }
    }
    return result
  }

  /// The run with a number.
  package func run(_ number: Int) -> Run {
    Run(seed: seed &* 1_000_003 &+ UInt64(number), kind: kind, length: length)
  }
}
