/// Something that happened in a run; two runs of the same seed have the same events.
package struct Event: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of events.
  package enum Kind: UInt8, Sendable {
    case move, looked, planned, committed, acknowledged, refused, captured, published, settled
    case swapped, removed, setAside, noted, recorded, locked, unlocked, crashed
    case delivered, uploaded, conflicted, violated
  }

  package var kind: Kind
  package var device: Int
  package var first: Int
  package var second: Int

  /// A line for a person.
  package var description: String { "d\(device) \(kind) \(first) \(second)" }
}
