/// An invariant that did not hold.
package struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The invariants of the design that the simulator checks.
  package enum Rule: String, Sendable {
    case nothingLost = "I1"
    case convergence = "I2"
    case wholeFiles = "I3"
    case locksKept = "I4"
    case capturedFirst = "I7"
    case sameAnswer = "I9"
    case progress = "I14"
  }

  /// Which invariant.
  package var rule: Rule
  /// The violation in words.
  package var text: String

  /// The rule and what happened.
  package var description: String { "\(rule.rawValue) \(text)" }
}
