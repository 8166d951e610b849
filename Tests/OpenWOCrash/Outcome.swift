import Synchronization

/// The outcome of a campaign.
package struct Outcome: Sendable {
  /// How many cases were looked at, of which no two are the same.
  package var cases = 0
  /// How many of each verb or kind.
  package var shares: [String: Int] = [:]
  /// The faults, each with a way to reproduce it.
  package var violations: [String] = []

  /// Puts another outcome to this one.
  package mutating func add(_ other: Outcome) {
    cases += other.cases
    shares.merge(other.shares, uniquingKeysWith: +)
    violations += other.violations
  }

  /// Notes one case and what is wrong with it.
  mutating func note(_ share: String, _ name: @autoclosure () -> String, _ wrong: [String]) {
    cases += 1
    shares[share, default: 0] += 1
    for what in wrong { violations.append("\(name()): \(what)") }
  }
}
