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
    // Moves after the violation are not needed.
    var moves = leftOut(Array(run.moves.prefix(run.outcome(with: fault).moveCount)))
    while let simpler = onFewerDevices(moves) ?? inFewerSteps(moves) ?? withoutPair(moves) {
      moves = leftOut(simpler)
    }
    var result = run
    result.moves = simplified(moves)
    return result
  }

  private func leftOut(_ moves: [Move]) -> [Move] {
    var moves = moves
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
    return moves
  }

  private func without(_ size: Int, _ moves: [Move]) -> [Move]? {
    for start in stride(from: 0, to: moves.count, by: size) {
      let rest = Array(moves[..<start] + moves[min(start + size, moves.count)...])
      if fails(rest) { return rest }
    }
    return nil
  }

  /// Moves on one device may as well happen on another one that is needed anyway.
  private func onFewerDevices(_ moves: [Move]) -> [Move]? {
    let devices = Set(moves.map(\.device)).sorted()
    for device in devices {
      for other in devices where other != device {
        let trial = moves.map { $0.device == device ? Move($0.kind, other, $0.number) : $0 }
        if fails(trial) { return trial }
      }
    }
    return nil
  }

  /// Several small steps may be one that goes to the end.
  private func inFewerSteps(_ moves: [Move]) -> [Move]? {
    for place in moves.indices where moves[place].kind == .step {
      let device = moves[place].device
      var trial = moves[...place]
      trial[place].kind = .finish
      var isOver = false
      for move in moves[(place + 1)...] {
        isOver = isOver || move.device == device && move.kind != .step
        if isOver || move.device != device { trial.append(move) }
      }
      if fails(Array(trial)) { return Array(trial) }
    }
    return nil
  }

  /// Two moves may need each other and nobody else them, such as one that takes and one that gives.
  private func withoutPair(_ moves: [Move]) -> [Move]? {
    // In a long list there are too many pairs: only near ones are tried.
    let farthest = moves.count > 50 ? 3 : moves.count
    for second in moves.indices {
      for first in max(0, second - farthest)..<second {
        var trial = moves
        trial.remove(at: second)
        trial.remove(at: first)
        if fails(trial) { return trial }
      }
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
