import OpenWOTestSupport

/// The choices for a run, drawn before its moves: devices, service, policy and how often each move
/// happens.
package struct Scenario: Sendable {
  /// The seed that all of it comes from.
  package var seed: UInt64
  package var devices: Int
  package var service: ServiceStyle
  /// Rows are merged instead of the last writer winning.
  var merges: Bool
  /// An unknown content shows by its pages what it was made from; otherwise only by the file it is in.
  var pagesTell: Bool
  /// Versions are published at once; otherwise now and then.
  var publishesAtOnce: Bool
  /// The service names its copies as people name theirs.
  var hasPersonalNames: Bool
  /// How often each kind of move is drawn.
  private var weights: [Int]

  /// Draws a scenario.
  ///
  /// - Parameters:
  ///   - seed: Decides everything.
  ///   - kind: The kind of service; nil: drawn as well.
  package init(seed: UInt64, kind: ServiceStyle.Kind? = nil) {
    var random = SeededRandom(seed: seed)
    self.seed = seed
    devices = 2 + [0, 0, 0, 0, 1, 1, 1, 2, 2, 3][random.below(10)]
    let kinds = ServiceStyle.Kind.allCases
    // Drawn in any case, so that a run that is printed with its kind has the same knobs.
    let drawn = kinds[random.below(kinds.count)]
    service = ServiceStyle(kind ?? drawn, &random)
    merges = random.chance(percent: 20)
    pagesTell = random.chance(percent: 75)
    publishesAtOnce = random.chance(percent: 60)
    // From a generator of its own, so that the other draws of a seed stay what they were.
    var names = SeededRandom(seed: seed ^ 0xA51DE)
    hasPersonalNames = names.chance(percent: 20)
    weights = Move.Kind.allCases.map(Self.usualWeight)
    // Each run leaves out or stresses some kinds of trouble: what is rare together is found alone.
    for kind in Move.Kind.allCases where Self.isTrouble(kind) {
      let place = Int(kind.rawValue)
      weights[place] = [0, 0, 1, 1, 4][random.below(5)] * weights[place]
    }
    if random.chance(percent: 10) { keepTimes() }
  }

  /// Leaves out what makes it impossible to tell who wrote last: some checks say something in such runs only.
  private mutating func keepTimes() {
    (service.time, pagesTell, merges) = (.kept, true, false)
    let blurring: [Move.Kind] = [
      .putBack, .delete, .restore, .lock, .unlock, .discard, .forget, .clone, .clock,
    ]
    for kind in blurring { weights[Int(kind.rawValue)] = 0 }
  }

  private static func usualWeight(_ kind: Move.Kind) -> Int {
    switch kind {
    case .step: 60
    case .up, .down: 50
    case .tick: 30
    case .write, .reconcile, .finish: 20
    case .arrive: 15
    case .edit: 6
    case .crash, .cut: 4
    case .lock, .unlock, .take, .give, .restore, .repeated: 3
    case .resurrect, .evict, .clock, .force, .discard, .putBack: 2
    case .forget, .clone, .delete: 1
    }
  }

  private static func isTrouble(_ kind: Move.Kind) -> Bool {
    switch kind {
    case .step, .up, .down, .tick, .write, .reconcile, .finish, .arrive: false
    default: true
    }
  }

  /// The moves of the run.
  package func moves(_ count: Int) -> [Move] {
    var random = SeededRandom(seed: seed ^ 0xD1CE)
    let bounds = weights.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + $1) }
    let total = bounds.last ?? 1
    return (0..<count).map { _ in
      let place = random.below(total)
      let kind = bounds.firstIndex { place < $0 } ?? 0
      return Move(
        Move.Kind.allCases[kind], UInt8(random.below(devices)), UInt32(random.next() >> 40))
    }
  }
}
