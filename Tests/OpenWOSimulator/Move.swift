/// One step of a run: what happens, on which device, and a number that decides the details.
package struct Move: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of moves.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// The app begins a write.
    case write
    /// openwo begins to reconcile.
    case reconcile
    /// One small step of what openwo is doing.
    case step
    /// All that openwo is doing, to its end.
    case finish
    /// Another program commits a row to the live file.
    case edit
    /// Another program takes the database and keeps it, in exclusive or WAL mode.
    case take
    /// That program commits and releases its lock.
    case give
    /// A person puts an old file back by hand.
    case putBack
    /// A person removes the live file.
    case delete
    /// `openwo restore`.
    case restore
    case lock
    case unlock
    case discard
    /// Another device's lock is ended.
    case force
    /// The process is killed and started again.
    case crash
    /// The state folder is lost.
    case forget
    /// The device is set up again from a copy of another one's disk.
    case clone
    /// The clock is set.
    case clock
    /// Time passes.
    case tick
    /// The network of a device comes or goes.
    case cut
    /// The service takes a change of the device.
    case up
    /// The service brings a change to the device.
    case down
    /// Files that arrive in pieces or after a gap are completed.
    case arrive
    /// An older form of a file is delivered once more.
    case repeated
    /// A removed file comes back.
    case resurrect
    /// The service takes a file's content away and leaves its name.
    case evict
  }

  /// The kind of move.
  package var kind: Kind
  /// On which device.
  package var device: UInt8
  /// Decides the details.
  package var number: UInt32

  /// The move as a test case has it.
  package var description: String { ".init(.\(kind), \(device), \(number))" }

  /// Makes a move.
  package init(_ kind: Kind, _ device: UInt8, _ number: UInt32) {
    (self.kind, self.device, self.number) = (kind, device, number)
  }
}
