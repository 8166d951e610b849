/// Makes a failing run short: leaves out moves as long as the same invariant still breaks (delta debugging).
package struct Shrinker: Sendable {
  package var run: Run
  package var fault: Fault?
  package var rule: Violation.Rule

  /// Takes a failing run.
  package init(_ run: Run, fault: Fault? = nil, rule: Violation.Rule) {
    (self.run, self.fault, self.rule) = (run, fault, rule)
  }

  /// The shortest run that was found.
  package func shrunk() -> Run {
    var moves = run.moves
    var pieces = 2
    while moves.count >= 2 {
      let size = max(1, moves.count / pieces)
      if let shorter = without(size, moves) {
        moves = shorter
        pieces = max(pieces - 1, 2)
      } else if size == 1 {
        break
      } else {
        pieces = min(pieces * 2, moves.count)
      }
    }
    var result = run
    result.moves = simplified(moves)
    return result
  }

  private func without(_ size: Int, _ moves: [Move]) -> [Move]? {
    for start in stride(from: 0, to: moves.count, by: size) {
      let rest = Array(moves[..<start] + moves[min(start + size, moves.count)...])
      if fails(rest) { return rest }
    }
    return nil
  }

  /// Smaller numbers are easier to read.
  private func simplified(_ moves: [Move]) -> [Move] {
    var moves = moves
    for place in moves.indices {
      for number in 0..<UInt32(4) where moves[place].number > number {
        var trial = moves
        trial[place].number = number
        if fails(trial) {
          moves = trial
          break
        }
      }
    }
    return moves
  }

  private func fails(_ moves: [Move]) -> Bool {
    var trial = run
    trial.moves = moves
    return trial.outcome(with: fault).violation?.rule == rule
  }
}
