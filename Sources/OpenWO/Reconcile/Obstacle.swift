/// Why the live file cannot be looked into now.
package enum Obstacle: Sendable, Hashable {
  /// Another program keeps it locked: it is in a transaction, or has the file for itself.
  case busy
  /// This device's own lock holds: the edit becomes a version when the lock ends.
  case ownLock
  /// Another device's lock holds, and its holder may be writing into this very file.
  case sharedLock
  /// Another device's lock holds, and the file may be its holder's unfinished edit that a service delivered.
  case delivered
  /// A program was interrupted while it wrote: the file is whole again after its journal is
  /// replayed.
  case interrupted
  /// The file with its name cannot be read, or is not a regular file; the reason in one sentence.
  case unusable(String)
}
