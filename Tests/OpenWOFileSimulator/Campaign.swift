import Dispatch
import Synchronization

/// Runs, seed after seed, on several threads.
package struct Campaign: Sendable {
  package var seed: UInt64 = 1
  /// How many steps all runs have together, and each.
  package var steps = 30_000
  package var length = 100
  package var threads = 2

  package init() {}

  /// The outcome of a campaign.
  package struct Outcome: Sendable {
    package var runs = 0
    package var steps = 0
    /// The seeds of the runs that went wrong, and how.
    package var findings: [(seed: UInt64, violation: String)] = []
  }

  /// Makes the runs; stops after some have gone wrong.
  package func outcome(atMost most: Int = 1) -> Outcome {
    let total = Mutex((next: UInt64(0), outcome: Outcome()))
    let runs = UInt64((steps + length - 1) / length)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while true {
        let number = total.withLock { total -> UInt64? in
          guard total.next < runs, total.outcome.findings.count < most else { return nil }
          total.next += 1
          return total.next - 1
        }
        guard let number else { return }
        let run = Run(seed: seed &+ number, length: length)
        let violation = run.violation()
        total.withLock { total in
          total.outcome.runs += 1
          total.outcome.steps += run.steps.count
          if let violation { total.outcome.findings.append((run.seed, violation)) }
        }
      }
    }
    return total.withLock { $0.outcome }
  }
}

/// One run: what a seed decides, and its steps.
package struct Run: Sendable, CustomStringConvertible {
  package let seed: UInt64
  package var steps: [Step]
  private let scenario: Scenario

  /// Draws a run.
  package init(seed: UInt64, length: Int) {
    self.seed = seed
    scenario = Scenario(seed: seed)
    steps = scenario.steps(length)
  }

  /// The first thing that is wrong; nil: nothing.
  package func violation() -> String? { play().violation }

  /// The story in words.
  package func story() -> [String] { play(telling: true).story }

  private func play(telling: Bool = false) -> (violation: String?, story: [String]) {
    var world: World?
    do {
      let made = try World(scenario)
      world = made
      if telling { made.story = [] }
      for step in steps { try made.apply(step) }
      try made.rest()
      return (nil, made.story ?? [])
    } catch let violation as Violation {
      return (violation.description, world?.story ?? [])
    } catch {
      return ("an error: \(error)", world?.story ?? [])
    }
  }

  /// The seed, what it decides, and the steps.
  package var description: String {
    "seed \(seed): \(scenario)\n" + steps.map { "  \($0)\n" }.joined()
  }

  /// The same run without the steps that are not needed for what is wrong (delta debugging).
  package func shrunk() -> Run {
    guard let wrong = kind() else { return self }
    var run = self
    var pieces = 2
    while run.steps.count >= 2 {
      let size = max(1, run.steps.count / pieces)
      if let shorter = run.without(size, wrong) {
        run = shorter
        pieces = max(pieces - 1, 2)
      } else if size == 1 {
        break
      } else {
        pieces = min(pieces * 2, run.steps.count)
      }
    }
    return run
  }

  private func kind() -> Substring? { violation()?.prefix { $0 != ":" } }

  private func without(_ size: Int, _ wrong: Substring) -> Run? {
    for start in stride(from: 0, to: steps.count, by: size) {
      var run = self
      run.steps.removeSubrange(start..<min(start + size, steps.count))
      if run.kind() == wrong { return run }
    }
    return nil
  }
}
