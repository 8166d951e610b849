import Corpora
import OpenWOTestSupport

/// One step of a run: what happens, on which device, and a number that decides the details.
package struct Step: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of steps.
  enum Kind: String, Sendable, CaseIterable {
    /// The app.
    case write, read, reconcile, publish, close, restore, merge, prune, lock, unlock, discard, force
    /// Another program commits a row to the live file, in WAL mode or not.
    case edit, editInWAL
    /// Time goes by, or a device's clock is set.
    case tick, clock
    /// The service takes a change, brings one, completes one that was half there.
    case up, down, complete
    /// The service brings an old state, or takes a file away for a while.
    case late, remove
  }

  var kind: Kind
  var device: Int
  var number: UInt64

  /// The kind, the device and the number.
  package var description: String { "\(kind)(\(device), \(number))" }

  private static let weights: [(Kind, Int)] = [
    (.write, 16), (.read, 4), (.reconcile, 12), (.publish, 2), (.close, 5), (.restore, 2),
    (.merge, 2), (.prune, 1), (.lock, 2), (.unlock, 5), (.discard, 1), (.force, 1), (.edit, 7),
    (.tick, 12),
    (.clock, 1), (.up, 18), (.down, 22), (.complete, 7), (.late, 2), (.remove, 1),
  ]

  /// Draws a step.
  static func draw(devices: Int, _ random: inout SeededRandom) -> Step {
    var left = random.number(0...weights.reduce(0) { $0 + $1.1 } - 1)
    var kind = Kind.tick
    for (candidate, weight) in weights {
      kind = candidate
      left -= weight
      if left < 0 { break }
    }
    // The shell is started for it, which takes its time.
    if kind == .edit, random.chance(0.05) { kind = .editInWAL }
    return Step(
      kind: kind, device: random.number(0...devices - 1), number: random.next() % 1_000_000)
  }
}
