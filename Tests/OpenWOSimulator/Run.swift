/// One run: a scenario and its moves, from the making of the store to its final settled state.
package struct Run: Sendable {
  package var scenario: Scenario
  package var moves: [Move]

  /// Draws a run.
  package init(seed: UInt64, kind: ServiceStyle.Kind? = nil, length: Int = 150) {
    scenario = Scenario(seed: seed, kind: kind)
    moves = scenario.moves(length)
  }

  /// Takes given moves in the scenario of a seed.
  package init(seed: UInt64, kind: ServiceStyle.Kind?, moves: [Move]) {
    scenario = Scenario(seed: seed, kind: kind)
    self.moves = moves
  }

  /// The outcome of a run.
  package struct Outcome: Sendable {
    /// The first invariant that did not hold.
    package var violation: Violation?
    /// How many moves were made before it.
    package var moveCount: Int
    /// The checks that did apply.
    package var applied: Set<ConditionalCheck>
    /// All that happened.
    package var events: [Event]
    /// The same in words, if that was asked for.
    package var story: [String]
  }

  /// Makes the run, with a bug switched on or none.
  package func outcome(with fault: Fault? = nil, tellingStory: Bool = false) -> Outcome {
    let world = World(scenario, fault: fault)
    if tellingStory { world.story = [] }
    var count = 0
    for move in moves where world.violation == nil {
      world.apply(move)
      count += 1
    }
    if world.violation == nil { world.rest() }
    return Outcome(
      violation: world.violation, moveCount: count, applied: world.applied,
      events: world.events,
      story: world.story ?? [])
  }
}
