import Glibc

/// One side of a comparison: what is done, and what makes it ready outside of the measured time.
struct Case {
  let name: String
  var prepare: () throws -> Void = {}
  let run: () throws -> Sample

  /// A case that runs in this process and answers with a number that all sides must agree on.
  init(
    _ name: String, prepare: @escaping () throws -> Void = {}, _ body: @escaping () throws -> Void
  ) {
    (self.name, self.prepare) = (name, prepare)
    run = { try Sample.of(body) }
  }

  /// A program.
  init(_ name: String, prepare: @escaping () throws -> Void = {}, _ child: Child) {
    (self.name, self.prepare) = (name, prepare)
    run = { try child.run() }
  }

  /// A case that measures itself.
  init(
    measuring name: String, prepare: @escaping () throws -> Void = {},
    _ run: @escaping () throws -> Sample
  ) {
    (self.name, self.prepare, self.run) = (name, prepare, run)
  }
}

/// What is to be reached: so many times a peer's figure at most, or an amount at most.
struct Goal {
  let peer: String?
  let measure: Measure
  let limit: Double
  let text: String

  /// At most so many times the peer's figure.
  static func atMost(_ limit: Double, times peer: String, _ measure: Measure = .cpu) -> Goal {
    Goal(peer: peer, measure: measure, limit: limit, text: "≤ \(digits(limit)) ×")
  }

  /// The peer takes at least so many times as much.
  static func atLeast(_ factor: Double, timesBetterThan peer: String, _ measure: Measure = .wall)
    -> Goal
  {
    Goal(peer: peer, measure: measure, limit: 1 / factor, text: "≥ \(digits(factor)) × better")
  }

  /// At most this amount, in seconds or bytes.
  static func atMost(_ limit: Double, _ measure: Measure = .wall) -> Goal {
    Goal(peer: nil, measure: measure, limit: limit, text: "≤ \(measure.text(limit))")
  }

  /// Beside the peer, without a goal.
  static func shown(_ peer: String, _ measure: Measure = .wall) -> Goal {
    Goal(peer: peer, measure: measure, limit: .infinity, text: "–")
  }
}

/// Cases that are run in turn, round after round, the order rotating; ratios are taken within a round.
struct Comparison {
  private let group: String
  private var work: String
  private var ours: String
  private var goals: [Goal]
  private(set) var samples: [String: [Sample]] = [:]

  /// The only case to run, over and over, for a look with a profiler; nil runs all in turn.
  @TaskLocal static var only: String?

  init(
    _ group: String, _ work: String, rounds: Int, warmUps: Int = 1, _ cases: [Case], goals: [Goal]
  ) throws {
    (self.group, self.work, self.goals) = (group, work, goals)
    ours = cases.first?.name ?? ""
    let cases = cases.filter { Self.only == nil || $0.name == Self.only }
    let rounds = Self.only == nil ? rounds : 10 * rounds
    for round in -warmUps..<rounds {
      for place in cases.indices {
        let turn = cases[(place + max(round, 0)) % cases.count]
        try turn.prepare()
        let sample = try turn.run()
        if round >= 0 { samples[turn.name, default: []].append(sample) }
      }
    }
  }

  /// The same samples with another case as ours.
  func seen(as ours: String, work: String, goals: [Goal]) -> Comparison {
    var other = self
    (other.ours, other.work, other.goals) = (ours, work, goals)
    return other
  }

  /// The lines of the table, one a goal.
  var outcomes: [Outcome] {
    goals.compactMap { goal in
      guard let own = samples[ours]?.compactMap({ $0[goal.measure] }), !own.isEmpty else {
        return nil
      }
      var values = own
      var peerValue: Double?
      if let peer = goal.peer {
        guard let theirs = samples[peer]?.compactMap({ $0[goal.measure] }), !theirs.isEmpty else {
          return nil
        }
        values = zip(own, theirs).map { $0 / $1 }
        peerValue = theirs.median
      }
      return Outcome(
        group: group, work: work, measure: goal.measure, ours: own.median, peer: goal.peer,
        peerValue: peerValue, ratio: values.median, low: values.quantile(0.25),
        high: values.quantile(0.75), limit: goal.limit, goal: goal.text, rounds: own.count)
    }
  }
}

extension [Double] {
  var median: Double { quantile(0.5) }

  func quantile(_ part: Double) -> Double {
    let sorted = sorted()
    guard let last = sorted.last else { return .nan }
    let place = part * Double(sorted.count - 1)
    let low = Int(place)
    guard low + 1 < sorted.count else { return last }
    return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - Double(low))
  }
}
