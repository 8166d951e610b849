/// A run printed as a test that can be pasted, with what happened in it.
package struct TestCase: Sendable, CustomStringConvertible {
  private let run: Run
  private let fault: Fault?
  /// How many lines of the story are printed.
  private static let mostLines = 600

  /// Takes a run, shrunk or not.
  package init(_ run: Run, fault: Fault? = nil) {
    (self.run, self.fault) = (run, fault)
  }

  /// The test's source, and its events as comments.
  package var description: String {
    let outcome = run.outcome(with: fault, tellingStory: true)
    let moves = run.moves.map { "        \($0)," }.joined(separator: "\n")
    let events = outcome.story.suffix(Self.mostLines).map { "// \($0)" }.joined(separator: "\n")
    return """
      // \(run.moves.count) actions, \(run.scenario.devices) devices, \(run.scenario.service)
      // \(outcome.violation?.description ?? "clean")
      let run = Run(
        seed: \(run.scenario.seed), kind: .\(run.scenario.service.kind),
        moves: [
      \(moves)
        ])
      \(events)
      """
  }
}
